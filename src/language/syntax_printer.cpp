// The syntax tree as indented text, one node a line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/syntax_tree.h"

namespace tropic::language::syntax {

namespace {

std::string list(const std::vector<Name>& names) {
    std::vector<std::string_view> texts;
    texts.reserve(names.size());
    for (const Name& name : names) texts.push_back(name.text);
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string size_text(const LabelSize& size) {
    const std::string high = size.high ? std::to_string(*size.high) : "?";
    if (size.step != 1) return fmt::format("{}:{}:{}", size.low, high, size.step);
    return size.low == 0 ? high : fmt::format("{}:{}", size.low, high);
}

std::string layout(const std::vector<Name>& labels, const std::optional<StorageWords>& storage) {
    return fmt::format("[{}]{}", list(labels),
                       storage ? fmt::format(" {{{}}}", list(storage->words)) : "");
}

class Printer {
  public:
    std::string run(const Tree& tree) {
        line("program");
        ++depth_;
        for (const Function& f : tree.functions) function(f);
        return std::move(text_);
    }

  private:
    void line(std::string_view text) {
        text_.append(2 * static_cast<std::size_t>(depth_), ' ');
        text_ += text;
        text_ += '\n';
    }

    void function(const Function& function) {
        line(fmt::format("function {}", function.name.text));
        ++depth_;
        for (const Parameter& p : function.parameters) parameter(p);
        for (const Statement& s : function.body) statement(s);
        --depth_;
    }

    void parameter(const Parameter& parameter) {
        switch (parameter.kind) {
        case Parameter::Kind::any:
            return line(fmt::format("parameter {}", parameter.name.text));
        case Parameter::Kind::scalar:
            return line(fmt::format("parameter {} {}", parameter.name.text,
                                    parameter.type.text.empty() ? "scalar" : parameter.type.text));
        case Parameter::Kind::tensor:
            break;
        }
        line(fmt::format("parameter {} tensor<{}> {}", parameter.name.text, parameter.type.text,
                         parameter.labelled ? layout(parameter.labels, parameter.storage) : ""));
    }

    void statement(const Statement& s) {
        switch (s.kind) {
        case Statement::Kind::labels: {
            std::vector<std::string> sizes;
            sizes.reserve(s.sizes.size());
            for (const LabelSize& size : s.sizes) sizes.push_back(size_text(size));
            return line(fmt::format("labels [{}] = [{}]", list(s.labels), fmt::join(sizes, ", ")));
        }
        case Statement::Kind::tensors:
            for (const TensorDeclaration& tensor : s.tensors) {
                line(fmt::format("tensor<{}> {} {}", tensor.type.text, tensor.name.text,
                                 layout(tensor.labels, tensor.storage)));
            }
            return;
        case Statement::Kind::scalar:
            line(fmt::format("var {} =", s.name.text));
            break;
        case Statement::Kind::assign:
            line(target(s));
            break;
        case Statement::Kind::call:
            line("call");
            break;
        case Statement::Kind::loop:
            line(fmt::format("for {} in range", s.name.text));
            break;
        case Statement::Kind::return_value:
            line("return");
            break;
        }
        ++depth_;
        for (const Expression& value : s.values) expression(value);
        if (s.kind == Statement::Kind::loop) {
            line("do");
            ++depth_;
            for (const Statement& inner : s.body) statement(inner);
            --depth_;
        }
        --depth_;
    }

    static std::string target(const Statement& s) {
        std::string text = "assign " + s.name.text;
        if (s.labelled) text += fmt::format("[{}]", list(s.labels));
        if (s.mask) {
            text += fmt::format("<{}", s.mask->tensor.text);
            if (s.mask->labelled) text += fmt::format("[{}]", list(s.mask->labels));
            if (s.mask->way) text += fmt::format(", {}", s.mask->way->text);
            text += ">";
        }
        return text + fmt::format(" {}=", s.accumulate ? name_of(*s.accumulate) : "");
    }

    void expression(const Expression& e) {
        line(head(e));
        ++depth_;
        for (const Expression& operand : e.operands) expression(operand);
        --depth_;
    }

    static std::string head(const Expression& e) {
        switch (e.kind) {
        case Expression::Kind::number:
            return e.is_integer ? fmt::format("number {}", e.integer)
                                : fmt::format("number {}", e.number);
        case Expression::Kind::name:
            return "name " + e.name;
        case Expression::Kind::access:
            return fmt::format("access {}[{}]", e.name, list(e.labels));
        case Expression::Kind::call:
            return fmt::format("call {}{}", e.name,
                               e.labelled ? fmt::format(" at [{}]", list(e.labels)) : "");
        case Expression::Kind::label_list:
            return fmt::format("labels {{{}}}", list(e.labels));
        case Expression::Kind::negate:
            return "negate";
        case Expression::Kind::add:
            return "+";
        case Expression::Kind::subtract:
            return "-";
        case Expression::Kind::multiply:
            return "*";
        case Expression::Kind::divide:
            return "/";
        case Expression::Kind::dot:
            return ".*";
        case Expression::Kind::monoid:
            return fmt::format("@({})", name_of(e.op));
        case Expression::Kind::semiring:
            break;
        }
        return fmt::format("@({},{})", name_of(e.fold), name_of(e.op));
    }

    std::string text_;
    int depth_ = 0;
};

} // namespace

std::string to_text(const Tree& tree) {
    return Printer().run(tree);
}

} // namespace tropic::language::syntax
