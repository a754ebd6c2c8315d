#include "supervisor.h"

#include <map>
#include <optional>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "assembly.h"
#include "cost_table.h"
#include "findings.h"
#include "places.h"
#include "runtime_calls.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

constexpr unsigned all_workers = 6;
constexpr StringRef label_start = "__runCodelet_";

/// Codelets that workers can be started with; a number stands for each while the program runs,
/// because registers of 32 bits hold it. 0 stands for none.
class WorkerTable {
  public:
    explicit WorkerTable(Module& module) : module_(module) {}

    std::optional<std::uint64_t> number_of(StringRef label) const {
        for (std::size_t i = 0; i < findings().vertices.size(); ++i) {
            if (run_codelet_label(findings().vertices[i].name) == label) return i + 1;
        }
        return {};
    }

    /// The functions by number.
    GlobalVariable* table() {
        if (table_ != nullptr) return table_;
        PointerType* const pointer = PointerType::get(module_.getContext(), 0);
        SmallVector<Constant*> functions = {ConstantPointerNull::get(pointer)};
        for (const VertexFinding& vertex : findings().vertices) {
            Function* const compute = module_.getFunction(vertex.compute);
            const bool runs = compute != nullptr && vertex.kind != "supervisor";
            functions.push_back(runs ? static_cast<Constant*>(compute)
                                     : ConstantPointerNull::get(pointer));
        }
        ArrayType* const type = ArrayType::get(pointer, functions.size());
        table_ = new GlobalVariable(module_, type, true, GlobalValue::InternalLinkage,
                                    ConstantArray::get(type, functions), "tropic_workers");
        return table_;
    }

    std::uint64_t size() const { return findings().vertices.size() + 1; }

    static std::string known() {
        std::string names;
        for (const VertexFinding& vertex : findings().vertices) {
            if (vertex.kind != "worker") continue;
            names += (names.empty() ? "" : ", ") + run_codelet_label(vertex.name);
        }
        return names.empty() ? "this file has no vertex that a worker could run"
                             : "this file has " + names;
    }

  private:
    Module& module_;
    GlobalVariable* table_ = nullptr;
};

/// One function's assembly, statement by statement, with what registers hold between them.
class Replacer {
  public:
    Replacer(Function& function, WorkerTable& workers)
        : workers_(workers), runtime_(*function.getParent()), builder_(function.getContext()) {
        if (function.arg_size() > 0 && function.getArg(0)->getType()->isPointerTy()) {
            registers_["$m0"] = function.getArg(0);
        }
    }

    void replace(CallInst& call) {
        const auto* const assembly = cast<InlineAsm>(call.getCalledOperand());
        call_ = &call;
        builder_.SetInsertPoint(&call);
        outputs_ = 0;
        result_ = nullptr;
        for (const InlineAsm::ConstraintInfo& constraint : assembly->ParseConstraints()) {
            if (constraint.Type == InlineAsm::isOutput) ++outputs_;
        }
        for (const AssemblyLine& line : read_assembly(assembly->getAsmString())) {
            if (translate(line)) continue;
            std::string shown = line.mnemonic;
            for (std::size_t i = 0; i < line.operands.size(); ++i) {
                shown += (i == 0 ? " " : ", ") + line.operands[i];
            }
            add_problem(call.getDebugLoc(), "inline assembly cannot run here: '" + shown + "'",
                        hint_.empty() ? "what is understood: setzi of a __runCodelet_ label, run, "
                                        "runall, sync, get and put; write the rest in C++"
                                      : hint_);
            break;
        }
        if (!call.getType()->isVoidTy()) {
            call.replaceAllUsesWith(result_ == nullptr || result_->getType() != call.getType()
                                        ? PoisonValue::get(call.getType())
                                        : result_);
        }
        call.eraseFromParent();
    }

  private:
    bool translate(const AssemblyLine& line) {
        hint_.clear();
        const auto& operands = line.operands;
        if (line.mnemonic == "nop" && operands.empty()) return true;
        if (line.mnemonic == "sync" && operands.size() == 1) return sync();
        if (line.mnemonic == "setzi" && operands.size() == 2) return set(operands[0], operands[1]);
        if (line.mnemonic == "mov" && operands.size() == 2) {
            Value* const source = value(operands[1]);
            return source != nullptr && assign(operands[0], source);
        }
        if (line.mnemonic == "runall" && operands.size() == 3) {
            return is_zero(operands[2]) && start(operands[0], operands[1], all_workers);
        }
        if (line.mnemonic == "run" && operands.size() == 3) {
            const auto worker = constant(operands[2]);
            return worker && *worker < all_workers &&
                   start(operands[0], operands[1], static_cast<unsigned>(*worker));
        }
        if (line.mnemonic == "get" && operands.size() == 2) return get(operands[0], operands[1]);
        if (line.mnemonic == "put" && operands.size() == 2) return put(operands[0], operands[1]);
        return false;
    }

    /// "%2" is an input if it is not an output; "$m3" what was put there; a number itself.
    Value* value(const std::string& operand) {
        if (operand.starts_with("%")) {
            unsigned index = 0;
            if (StringRef(operand).drop_front().getAsInteger(10, index)) return nullptr;
            if (index < outputs_) return index == 0 ? result_ : nullptr;
            return index - outputs_ < call_->arg_size() ? call_->getArgOperand(index - outputs_)
                                                        : nullptr;
        }
        const auto found = registers_.find(operand);
        if (found != registers_.end()) return found->second;
        std::uint64_t number = 0;
        return StringRef(operand).getAsInteger(0, number) ? nullptr : builder_.getInt64(number);
    }

    std::optional<std::uint64_t> constant(const std::string& operand) {
        const auto* number = dyn_cast_or_null<ConstantInt>(value(operand));
        if (number == nullptr) return {};
        return number->getZExtValue();
    }

    bool is_zero(const std::string& operand) {
        return constant(operand) == 0 || operand == "$mzero";
    }

    bool assign(const std::string& target, Value* source) {
        if (target.starts_with("$m")) {
            registers_[target] = source;
            return true;
        }
        if (target != "%0" || outputs_ != 1) return false;
        result_ = converted(source, call_->getType());
        return true;
    }

    Value* converted(Value* source, Type* type) {
        if (source->getType() == type) return source;
        if (source->getType()->isPointerTy()) {
            return builder_.CreatePtrToInt(source, type);
        }
        if (type->isPointerTy()) {
            return builder_.CreateIntToPtr(
                builder_.CreateZExtOrTrunc(source, builder_.getInt64Ty()), type);
        }
        return builder_.CreateZExtOrTrunc(source, type);
    }

    bool set(const std::string& target, const std::string& source) {
        if (!StringRef(source).starts_with(label_start)) {
            Value* const number = value(source);
            return number != nullptr && assign(target, number);
        }
        const auto number = workers_.number_of(source);
        if (!number) {
            hint_ = WorkerTable::known();
            return false;
        }
        add_cycles("setzi");
        return assign(target, builder_.getInt64(*number));
    }

    /// What is run: a number that setzi gave, or a function declared under the label's name.
    Value* codelet(const std::string& operand) {
        Value* const source = value(operand);
        if (source == nullptr) return nullptr;
        if (const auto* label = dyn_cast<GlobalValue>(source->stripPointerCasts())) {
            const auto number = workers_.number_of(label->getName());
            return number ? builder_.getInt64(*number) : nullptr;
        }
        return converted(source, builder_.getInt64Ty());
    }

    bool start(const std::string& what, const std::string& state, unsigned worker) {
        Value* const number = codelet(what);
        Value* const where = value(state);
        if (number == nullptr) {
            hint_ = "nothing was put into " + what + " with setzi before; " + WorkerTable::known();
            return false;
        }
        if (where == nullptr || !where->getType()->isPointerTy()) {
            hint_ = state + " does not hold the address of a vertex's state";
            return false;
        }
        runtime_.call(builder_, "tropic_start", builder_.getVoidTy(),
                      {number, workers_.table(), builder_.getInt64(workers_.size()), where,
                       builder_.getInt32(worker),
                       cycles(worker == all_workers ? "runall" : "run")});
        return true;
    }

    bool sync() {
        runtime_.call(builder_, "tropic_sync", builder_.getVoidTy(), {cycles("sync")});
        return true;
    }

    bool get(const std::string& target, const std::string& source) {
        Value* const index = status_register(source);
        if (index == nullptr) return false;
        return assign(target,
                      runtime_.call(builder_, "tropic_ipu_get", builder_.getInt32Ty(), {index}));
    }

    bool put(const std::string& target, const std::string& source) {
        Value* const index = status_register(target);
        Value* const content = value(source);
        if (index == nullptr || content == nullptr || !content->getType()->isIntegerTy()) {
            return false;
        }
        runtime_.call(builder_, "tropic_ipu_put", builder_.getVoidTy(),
                      {builder_.CreateZExtOrTrunc(content, builder_.getInt32Ty()), index});
        return true;
    }

    /// "$WSR" or the number of a status register.
    Value* status_register(const std::string& operand) {
        constexpr std::uint32_t worker_status = 112;
        if (operand == "$WSR" || operand == "$wsr") return builder_.getInt32(worker_status);
        const auto number = constant(operand);
        if (!number) return nullptr;
        return builder_.getInt32(static_cast<std::uint32_t>(*number));
    }

    Value* cycles(StringRef key) { return builder_.getInt64(CostTable::instance().at(key).slots); }

    void add_cycles(StringRef key) {
        runtime_.call(builder_, "tropic_supervisor_cycles", builder_.getVoidTy(), {cycles(key)});
    }

    WorkerTable& workers_;
    RuntimeCalls runtime_;
    std::map<std::string, Value*> registers_;
    CallInst* call_ = nullptr;
    IRBuilder<> builder_;
    unsigned outputs_ = 0;
    Value* result_ = nullptr; ///< of the only output
    std::string hint_;
};

} // namespace

void replace_assembly(Module& module) {
    WorkerTable workers(module);
    for (Function& function : module) {
        SmallVector<CallInst*> calls;
        for (Instruction& instruction : instructions(function)) {
            auto* const call = dyn_cast<CallInst>(&instruction);
            if (call != nullptr && call->isInlineAsm()) calls.push_back(call);
        }
        if (calls.empty()) continue;
        Replacer replacer(function, workers);
        for (CallInst* call : calls) replacer.replace(*call);
    }
}

} // namespace tropic::tile::plugin
