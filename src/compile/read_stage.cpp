#include "compile/read_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/it.h"
#include "language/source.h"
#include "machines/cpu/runtime.h"
#include "tropic/error.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace tropic::compile {

namespace {

constexpr const char* runtime_name = "ga.runtime";
constexpr const char* index_bits_name = "ga.index_bits";
constexpr const char* inputs_name = "ga.inputs";

[[noreturn]] void refuse(const language::Program& program, const std::string& message,
                         const std::string& hint) {
    throw Error(
        {.code = ErrorCode::unsupported, .message = message, .file = program.file, .hint = hint});
}

std::int64_t number_of(mlir::ModuleOp module, const char* name) {
    const auto number = module->getAttrOfType<mlir::IntegerAttr>(name);
    return number ? number.getInt() : 0;
}

void require_signature(mlir::ModuleOp module, const language::Program& program, bool wide) {
    if (number_of(module, runtime_name) != cpu::runtime_version) {
        refuse(program, "these loops do not say that they belong to this version of Tropic",
               "compile the program they come from again, with --emit loops; texts of ga and it "
               "can be read by any version that knows their operations");
    }
    const std::int64_t bits = number_of(module, index_bits_name);
    if (bits != (wide ? 64 : 32)) {
        refuse(program, fmt::format("these loops have indices of {} bits", bits),
               wide ? "leave out --wide" : "say --wide");
    }
}

Stage stage_of(mlir::ModuleOp module) {
    Stage stage = Stage::loops;
    module.walk([&](mlir::Operation* operation) {
        const llvm::StringRef dialect = operation->getName().getDialectNamespace();
        if (dialect == it::ItDialect::getDialectNamespace()) {
            stage = Stage::it;
            return mlir::WalkResult::interrupt();
        }
        if (dialect == ga::GaDialect::getDialectNamespace()) stage = Stage::ga;
        return mlir::WalkResult::advance();
    });
    return stage;
}

/// The first thing that MLIR complains of, as an error of the text.
[[noreturn]] void fail_at(const language::Program& program, const mlir::Location& location,
                          const std::string& message) {
    Diagnostic found{.code = ErrorCode::syntax, .message = message, .file = program.file};
    if (const auto at = mlir::dyn_cast<mlir::FileLineColLoc>(location)) {
        found.line = at.getLine();
        found.column = at.getColumn();
        found.source_line =
            language::Source(program.text, program.file).line(static_cast<int>(at.getLine()));
    }
    found.hint = "texts to go on from are those that tropic compile --emit ga, it or loops gives";
    throw Error(std::move(found));
}

} // namespace

StageText read_stage(const language::Program& program, mlir::MLIRContext& context, bool wide) {
    std::optional<mlir::Location> place;
    std::string message;
    const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
        if (!place) {
            place = diagnostic.getLocation();
            message = diagnostic.str();
        }
        return mlir::success();
    });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(program.text, &context, program.file);
    if (!module) {
        fail_at(program, place.value_or(mlir::UnknownLoc::get(&context)),
                message.empty() ? "this is no stage of a program" : message);
    }
    const Stage stage = stage_of(*module);
    const bool loops = stage == Stage::loops;
    if (loops) require_signature(*module, program, wide);
    const char* const entry = loops ? cpu::program_symbol : "main";
    if (module->lookupSymbol(entry) == nullptr) {
        refuse(program, fmt::format("there is no function @{}, where a program begins", entry),
               "texts to go on from are those that tropic compile --emit ga, it or loops gives");
    }
    return {std::move(module), stage};
}

std::vector<std::string> inputs_read(mlir::ModuleOp module) {
    std::vector<std::string> names;
    module.walk([&](ga::ReadOp read) {
        const std::string name = read.getName().str();
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    });
    return names;
}

void sign_loops(mlir::ModuleOp module, bool wide, const std::vector<std::string>& inputs) {
    mlir::Builder builder(module.getContext());
    module->setAttr(runtime_name, builder.getI64IntegerAttr(cpu::runtime_version));
    module->setAttr(index_bits_name, builder.getI64IntegerAttr(wide ? 64 : 32));
    const std::vector<llvm::StringRef> names(inputs.begin(), inputs.end());
    module->setAttr(inputs_name, builder.getStrArrayAttr(names));
}

} // namespace tropic::compile
