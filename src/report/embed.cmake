# Writes OUTPUT, a C++ file that holds the page's template, style and scripts as text.
#   cmake -D OUTPUT=page.cpp -D PAGE=page/ -D "SCRIPTS=a.js b.js" -P embed.cmake
separate_arguments(SCRIPTS)

function(literal out file)
  file(READ "${PAGE}/${file}" text)
  set(${out} "R\"~~~(${text})~~~\"" PARENT_SCOPE)
endfunction()

literal(template page.html)
literal(style page.css)
set(script "")
foreach(name ${SCRIPTS})
  literal(text ${name})
  string(APPEND script "    script += ${text};\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"report/page.h\"

namespace tropic::report {

std::string_view page_template() {
    return ${template};
}

std::string_view page_style() {
    return ${style};
}

std::string page_script() {
    std::string script;
${script}    return script;
}

} // namespace tropic::report
")
