#include "compile/it_to_loops.h"

#include <map>

#include "compile/kernel_emitter.h"
#include "compile/program_to_ga.h"
#include "machines/cpu/runtime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tropic::compile {

namespace {

using cpu::Runtime;
using mlir::ValueRange;

#define TROPIC_FUNCTION(name) offsetof(Runtime, name)

/// The host part: what happens between kernels.
class HostEmitter {
  public:
    HostEmitter(mlir::ModuleOp module, bool wide, llvm::StringRef source)
        : source_(source), module_(module), builder_(module.getContext()),
          code_(builder_, module.getLoc(), wide), wide_(wide) {}

    void run() {
        auto main = module_.lookupSymbol<mlir::func::FuncOp>("main");
        code_.set_location(main.getLoc());
        builder_.setInsertionPointToEnd(module_.getBody());
        const mlir::Type pointer = code_.pointer();
        auto entry = mlir::LLVM::LLVMFuncOp::create(
            builder_, main.getLoc(), cpu::program_symbol,
            mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(module_.getContext()),
                                              {pointer, pointer}));
        mlir::Block* block = entry.addEntryBlock(builder_);
        runtime_ = block->getArgument(0);
        session_ = block->getArgument(1);
        builder_.setInsertionPointToEnd(block);
        emit_block(main.getBody().front());
        mlir::LLVM::ReturnOp::create(builder_, main.getLoc(), ValueRange{});
        main.erase();
    }

  private:
    // --- constants -------------------------------------------------------------------------------

    Value call(std::size_t function, mlir::Type result, llvm::SmallVector<Value> arguments) {
        arguments.insert(arguments.begin(), session_);
        return code_.call(runtime_, function, result, arguments);
    }

    Value bytes(llvm::StringRef contents) {
        auto& global = globals_[contents.str()];
        if (!global) {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            builder_.setInsertionPointToStart(module_.getBody());
            const auto type =
                mlir::LLVM::LLVMArrayType::get(code_.i8(), static_cast<unsigned>(contents.size()));
            global = mlir::LLVM::GlobalOp::create(
                builder_, code_.at(), type, /*isConstant=*/true, mlir::LLVM::Linkage::Internal,
                "text_" + std::to_string(globals_.size()), builder_.getStringAttr(contents));
        }
        return mlir::LLVM::AddressOfOp::create(builder_, code_.at(), global).getResult();
    }
    Value text(llvm::StringRef contents) { return bytes((contents + llvm::Twine('\0')).str()); }

    Value bytes_of(llvm::ArrayRef<std::int8_t> numbers) {
        // One byte at least, so that an empty array has an address.
        std::string contents(reinterpret_cast<const char*>(numbers.data()), numbers.size());
        contents.push_back('\0');
        return bytes(contents);
    }

    /// A FormatView.
    Value format(ga::TensorType type) {
        const Value view = code_.slot(code_.i64(), 3);
        code_.set_field(code_.number(type.rank()), view, offsetof(cpu::FormatView, rank));
        code_.set_field(bytes_of(type.getKinds()), view, offsetof(cpu::FormatView, kinds));
        code_.set_field(bytes_of(type.getOrder()), view, offsetof(cpu::FormatView, order));
        return view;
    }

    Value type_number(mlir::Type element) {
        return code_.number(static_cast<std::int64_t>(element_of(element)));
    }

    /// Numbers one after the other in memory.
    Value array(ValueRange numbers) {
        const Value memory = code_.slot(code_.i64(), static_cast<std::int64_t>(numbers.size()) + 1);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            code_.set_field(numbers[i], memory, static_cast<std::int64_t>(8 * i));
        }
        return memory;
    }

    // --- tensors ---------------------------------------------------------------------------------

    Value levels_of(Value view) {
        return code_.field(code_.pointer(), view, offsetof(cpu::TensorView, levels));
    }
    Value level_field(mlir::Type type, Value view, int level, std::size_t offset) {
        return code_.field(type, levels_of(view),
                           static_cast<std::int64_t>(sizeof(cpu::LevelView)) * level +
                               static_cast<std::int64_t>(offset));
    }
    Value dimension_size(Value view, ga::TensorType type, std::int64_t dimension) {
        for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
            if (type.getOrder()[level] == dimension) {
                return level_field(code_.i64(), view, static_cast<int>(level),
                                   offsetof(cpu::LevelView, size));
            }
        }
        llvm_unreachable("every dimension is stored by a level");
    }

    // --- operations ------------------------------------------------------------------------------

    Value mapped(Value value) { return values_.lookup(value); }
    llvm::SmallVector<Value> mapped(ValueRange values) {
        llvm::SmallVector<Value> result;
        for (const Value value : values) result.push_back(mapped(value));
        return result;
    }

    /// What takes time is timed, under the place of its statement.
    void emit_timed(mlir::Operation& op) {
        const bool timed = mlir::isa<it::KernelOp, ga::ReadOp, ga::ConvertOp, ga::PresenceOp,
                                     ga::FillOp, ga::RandomOp, ga::PrintOp>(op);
        if (timed) {
            std::string place = "?";
            llvm::StringRef line;
            if (const auto at = mlir::dyn_cast<mlir::FileLineColLoc>(op.getLoc())) {
                place = "line " + std::to_string(at.getLine()) + ", column " +
                        std::to_string(at.getColumn());
                llvm::StringRef rest = source_;
                for (unsigned l = 0; l < at.getLine(); ++l) std::tie(line, rest) = rest.split('\n');
            }
            call(TROPIC_FUNCTION(begin_statement), {}, {text(place), text(line.trim())});
        }
        emit(op);
        if (timed) call(TROPIC_FUNCTION(end_statement), {}, {});
    }

    void emit_block(mlir::Block& block) {
        const auto dying = last_uses(block);
        for (mlir::Operation& op : block) {
            code_.set_location(op.getLoc());
            emit_timed(op);
            const auto dead = dying.find(&op);
            if (dead == dying.end()) continue;
            for (const Value value : dead->second) release(mapped(value));
        }
    }

    /// The tensors made in a block, by the operation after which nobody needs them.
    std::map<mlir::Operation*, std::vector<Value>> last_uses(mlir::Block& block) {
        std::map<mlir::Operation*, std::vector<Value>> dying;
        for (mlir::Operation& op : block) {
            for (const Value result : op.getResults()) {
                if (!mlir::isa<ga::TensorType>(result.getType())) continue;
                mlir::Operation* last = &op;
                for (mlir::Operation* user : result.getUsers()) {
                    mlir::Operation* here = block.findAncestorOpInBlock(*user);
                    if (here != nullptr && last->isBeforeInBlock(here)) last = here;
                }
                // What a loop yields is retained there before it is released here.
                dying[last].push_back(result);
            }
        }
        return dying;
    }

    void release(Value view) { call(TROPIC_FUNCTION(release), {}, {view}); }
    void retain(Value view) { call(TROPIC_FUNCTION(retain), {}, {view}); }

    void emit(mlir::Operation& op) {
        if (auto read = mlir::dyn_cast<ga::ReadOp>(op)) return emit_read(read);
        if (auto size = mlir::dyn_cast<ga::SizeOp>(op)) {
            const auto type = mlir::cast<ga::TensorType>(size.getTensor().getType());
            values_.map(size.getResult(),
                        dimension_size(mapped(size.getTensor()), type,
                                       static_cast<std::int64_t>(size.getDimension())));
            return;
        }
        if (auto fill = mlir::dyn_cast<ga::FillOp>(op)) return emit_fill(fill);
        if (auto empty = mlir::dyn_cast<ga::EmptyOp>(op)) {
            values_.map(empty.getResult(),
                        call(TROPIC_FUNCTION(empty), code_.pointer(),
                             {type_number(type_of(empty).getElement()), format(type_of(empty)),
                              array(mapped(empty.getSizes()))}));
            return;
        }
        if (auto random = mlir::dyn_cast<ga::RandomOp>(op)) {
            values_.map(random.getResult(),
                        call(TROPIC_FUNCTION(random), code_.pointer(),
                             {type_number(type_of(random).getElement()), format(type_of(random)),
                              array(mapped(random.getSizes())),
                              code_.number(static_cast<std::int64_t>(random.getStream()))}));
            return;
        }
        if (auto convert = mlir::dyn_cast<ga::ConvertOp>(op)) return emit_convert(convert);
        if (auto repeat = mlir::dyn_cast<ga::RepeatOp>(op)) {
            values_.map(repeat.getResult(),
                        call(TROPIC_FUNCTION(repeat), code_.pointer(),
                             {mapped(repeat.getTensor()), format(type_of(repeat)),
                              array(mapped(repeat.getSizes()))}));
            return;
        }
        if (auto presence = mlir::dyn_cast<ga::PresenceOp>(op)) {
            values_.map(presence.getResult(), call(TROPIC_FUNCTION(presence), code_.pointer(),
                                                   {mapped(presence.getTensor())}));
            return;
        }
        if (auto filled = mlir::dyn_cast<ga::RowsFilledOp>(op)) {
            const Value answer =
                call(TROPIC_FUNCTION(rows_filled), code_.i64(), {mapped(filled.getTensor())});
            values_.map(filled.getResult(), code_.less(code_.number(0), answer));
            return;
        }
        if (auto equal = mlir::dyn_cast<ga::RequireEqualOp>(op)) return emit_require(equal);
        if (auto print = mlir::dyn_cast<ga::PrintOp>(op)) return emit_print(print);
        if (auto time = mlir::dyn_cast<ga::TimeOp>(op)) {
            values_.map(time.getResult(), call(TROPIC_FUNCTION(time), code_.f64(), {}));
            return;
        }
        if (auto elapsed = mlir::dyn_cast<ga::PrintElapsedOp>(op)) {
            call(TROPIC_FUNCTION(print_elapsed), {}, {mapped(elapsed.getSeconds())});
            return;
        }
        if (auto result = mlir::dyn_cast<ga::ResultOp>(op)) return emit_result(result);
        if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) return emit_loop(loop);
        if (auto choice = mlir::dyn_cast<mlir::scf::IfOp>(op)) return emit_choice(choice);
        if (auto kernel = mlir::dyn_cast<it::KernelOp>(op)) return emit_kernel_call(kernel);
        if (op.hasTrait<mlir::OpTrait::IsTerminator>()) return;
        builder_.clone(op, values_); // scalar arithmetic
    }

    template <class Op> static ga::TensorType type_of(Op op) {
        return mlir::cast<ga::TensorType>(op.getResult().getType());
    }

    void emit_read(ga::ReadOp op) {
        llvm::SmallVector<Value> shape;
        for (const std::int64_t size : op.getShape()) shape.push_back(code_.number(size));
        values_.map(op.getResult(),
                    call(TROPIC_FUNCTION(read), code_.pointer(),
                         {text(op.getName()), code_.number(static_cast<std::int64_t>(op.getMode())),
                          type_number(type_of(op).getElement()), format(type_of(op)), array(shape),
                          text(op.getPlace())}));
    }

    void emit_fill(ga::FillOp op) {
        const ga::TensorType type = type_of(op);
        // Sparse formats store every place: filled densely, then converted.
        const auto dense = ga::TensorType::get(
            type.getContext(), type.getElement(),
            llvm::SmallVector<std::int8_t>(type.getKinds().size(), 0), type.getOrder());
        const Value scalar = mapped(op.getValue());
        const mlir::Type from =
            scalar.getType().isF64()
                ? scalar.getType()
                : mlir::IntegerType::get(type.getContext(), 64, mlir::IntegerType::Signed);
        const Value cell = code_.slot(code_.memory_type(type.getElement()));
        code_.store_element(type.getElement(), code_.convert(from, type.getElement(), scalar), cell,
                            code_.number(0));
        Value view = call(
            TROPIC_FUNCTION(uniform), code_.pointer(),
            {type_number(type.getElement()), format(dense), array(mapped(op.getSizes())), cell});
        if (!type.isDense()) {
            const Value whole = view;
            view = convert_view(view, type, identity(type.rank()));
            release(whole);
        }
        values_.map(op.getResult(), view);
    }

    Value identity(std::int64_t rank) {
        llvm::SmallVector<std::int8_t> numbers;
        for (std::int64_t d = 0; d < rank; ++d) numbers.push_back(static_cast<std::int8_t>(d));
        return bytes_of(numbers);
    }

    Value convert_view(Value view, ga::TensorType type, Value permutation) {
        return call(TROPIC_FUNCTION(convert), code_.pointer(),
                    {view, permutation, type_number(type.getElement()), format(type)});
    }

    void emit_convert(ga::ConvertOp op) {
        values_.map(op.getResult(), convert_view(mapped(op.getTensor()), type_of(op),
                                                 identity(type_of(op).rank())));
    }

    void emit_require(ga::RequireEqualOp op) {
        call(TROPIC_FUNCTION(require_equal), {},
             {mapped(op.getLeft()), mapped(op.getRight()), text(op.getLabel()),
              text(op.getLeftName()), text(op.getRightName()), text(op.getPlace())});
    }

    void emit_print(ga::PrintOp op) {
        const Value value = mapped(op.getValue());
        if (const auto type = mlir::dyn_cast<ga::TensorType>(op.getValue().getType())) {
            call(TROPIC_FUNCTION(print_tensor), {},
                 {value, type_number(type.getElement()), format(type),
                  code_.number(static_cast<std::int64_t>(op.getPresentation()))});
        } else if (value.getType().isF64()) call(TROPIC_FUNCTION(print_real), {}, {value});
        else call(TROPIC_FUNCTION(print_integer), {}, {value});
    }

    void emit_result(ga::ResultOp op) {
        const Value value = mapped(op.getValue());
        const Value name = text(op.getName());
        if (const auto type = mlir::dyn_cast<ga::TensorType>(op.getValue().getType())) {
            call(TROPIC_FUNCTION(tensor_result), {},
                 {name, value, type_number(type.getElement()), format(type)});
        } else if (value.getType().isF64()) call(TROPIC_FUNCTION(real_result), {}, {name, value});
        else call(TROPIC_FUNCTION(integer_result), {}, {name, value});
    }

    /// A loop owns what it carries: one count for each value, handed on from turn to turn.
    void emit_loop(mlir::scf::ForOp op) {
        const llvm::SmallVector<Value> initial = mapped(op.getInitArgs());
        const auto is_tensor = [&](unsigned i) {
            return mlir::isa<ga::TensorType>(op.getInitArgs()[i].getType());
        };
        for (unsigned i = 0; i < initial.size(); ++i) {
            if (is_tensor(i)) retain(initial[i]);
        }
        auto loop =
            mlir::scf::ForOp::create(builder_, op.getLoc(), mapped(op.getLowerBound()),
                                     mapped(op.getUpperBound()), mapped(op.getStep()), initial);
        {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            builder_.setInsertionPointToStart(loop.getBody());
            values_.map(op.getInductionVar(), loop.getInductionVar());
            for (unsigned i = 0; i < initial.size(); ++i) {
                values_.map(op.getRegionIterArg(i), loop.getRegionIterArg(i));
            }
            call(TROPIC_FUNCTION(check_cancelled), {}, {});
            // What the body replaces without a look at it makes room for the new value.
            const auto unread = [&](unsigned i) { return op.getRegionIterArg(i).use_empty(); };
            for (unsigned i = 0; i < initial.size(); ++i) {
                if (is_tensor(i) && unread(i)) release(loop.getRegionIterArg(i));
            }
            mlir::Block& body = *op.getBody();
            auto yield = mlir::cast<mlir::scf::YieldOp>(body.getTerminator());
            emit_yielding(body, yield);
            llvm::SmallVector<Value> yielded = mapped(yield.getOperands());
            for (unsigned i = 0; i < initial.size(); ++i) {
                if (is_tensor(i) && !unread(i)) release(loop.getRegionIterArg(i));
            }
            if (!initial.empty()) mlir::scf::YieldOp::create(builder_, op.getLoc(), yielded);
        }
        for (unsigned i = 0; i < initial.size(); ++i) {
            values_.map(op.getResult(i), loop.getResult(i));
        }
    }

    /// A block that hands on what it made.
    void emit_yielding(mlir::Block& body, mlir::scf::YieldOp yield) {
        const auto dying = last_uses(body);
        for (mlir::Operation& op : body) {
            code_.set_location(op.getLoc());
            if (&op == yield.getOperation()) {
                for (const Value value : yield.getOperands()) {
                    if (mlir::isa<ga::TensorType>(value.getType())) retain(mapped(value));
                }
            } else emit_timed(op);
            const auto dead = dying.find(&op);
            if (dead == dying.end()) continue;
            for (const Value value : dead->second) release(mapped(value));
        }
    }

    /// One of two ways to a tensor.
    void emit_choice(mlir::scf::IfOp op) {
        auto choice =
            mlir::scf::IfOp::create(builder_, op.getLoc(), mlir::TypeRange{code_.pointer()},
                                    mapped(op.getCondition()), true);
        const std::pair<mlir::Region*, mlir::Region*> ways[] = {
            {&op.getThenRegion(), &choice.getThenRegion()},
            {&op.getElseRegion(), &choice.getElseRegion()}};
        for (const auto& [from, to] : ways) {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            builder_.setInsertionPointToStart(&to->front());
            auto yield = mlir::cast<mlir::scf::YieldOp>(from->front().getTerminator());
            emit_yielding(from->front(), yield);
            mlir::scf::YieldOp::create(builder_, op.getLoc(), mapped(yield.getOperands()));
        }
        values_.map(op.getResult(0), choice.getResult(0));
    }

    // --- kernels ---------------------------------------------------------------------------------

    void emit_kernel_call(it::KernelOp kernel) {
        KernelCode body;
        {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            builder_.setInsertionPointToEnd(module_.getBody());
            body = emit_kernel(builder_, kernel, "kernel_" + std::to_string(kernels_++), wide_);
        }
        code_.set_location(kernel.getLoc());
        llvm::SmallVector<Value> inputs = mapped(kernel.getInputs());
        llvm::SmallVector<Value> sizes = mapped(kernel.getSizes());
        const auto compacted = compact(kernel, inputs, sizes);
        const Value chunks = plan(kernel, body.outer, inputs, sizes);
        Output output = begin_output(kernel, body, inputs, sizes, chunks);
        const Value frame =
            code_.slot(code_.i64(), static_cast<std::int64_t>(body.frame.size()) + 1);
        for (std::size_t i = 0; i < body.frame.size(); ++i) {
            code_.set_field(contents(body.frame[i], inputs, sizes, output), frame,
                            static_cast<std::int64_t>(8 * i));
        }
        const Value function = mlir::LLVM::AddressOfOp::create(builder_, code_.at(), body.function);
        call(TROPIC_FUNCTION(run), {}, {function, frame});
        Value result = finish_output(kernel, output, chunks);
        for (const CompactedLabel& label : llvm::reverse(compacted)) {
            const bool in_result = label.level >= 0;
            const Value expanded = call(
                TROPIC_FUNCTION(expand), code_.pointer(),
                {label.compaction, in_result ? result : code_.null(), code_.number(label.level)});
            if (in_result) result = expanded;
        }
        values_.map(kernel.getResult(), result);
    }

    /// A label of workspaces that may be numbered anew for a kernel.
    struct CompactedLabel {
        Value compaction;
        std::int64_t level = -1; ///< of the result
    };

    /// Replaces what the kernel works on where its workspaces would be very long.
    std::vector<CompactedLabel> compact(it::KernelOp kernel, llvm::SmallVector<Value>& inputs,
                                        llvm::SmallVector<Value>& sizes) {
        std::vector<CompactedLabel> compacted;
        for (const auto& [label, uses] : wide_labels(kernel)) {
            llvm::SmallVector<Value> views, levels;
            for (const auto& [input, level] : uses) {
                views.push_back(inputs[input]);
                levels.push_back(code_.number(level));
            }
            const auto all = kernel.getLabels().getValue();
            const auto number = llvm::find(all, label) - all.begin();
            const Value view_array = array(views);
            const Value size = array(ValueRange(sizes[number]));
            CompactedLabel done;
            done.compaction = call(TROPIC_FUNCTION(compact), code_.pointer(),
                                   {code_.number(static_cast<std::int64_t>(uses.size())),
                                    view_array, array(levels), size});
            for (std::size_t u = 0; u < uses.size(); ++u) {
                inputs[uses[u].first] =
                    code_.field(code_.pointer(), view_array, static_cast<std::int64_t>(8 * u));
            }
            sizes[number] = code_.field(code_.i64(), size, 0);
            const auto out = kernel.getOutLabels().getValue();
            const auto at = llvm::find(out, label);
            if (at != out.end()) done.level = at - out.begin();
            compacted.push_back(done);
        }
        return compacted;
    }

    using LabelUses = std::vector<std::pair<unsigned, std::int64_t>>; ///< input, level

    /// Labels of workspaces of which only sparse levels tell the values.
    static std::vector<std::pair<mlir::Attribute, LabelUses>> wide_labels(it::KernelOp kernel) {
        std::vector<std::pair<mlir::Attribute, LabelUses>> found;
        kernel.walk([&](it::WorkspaceOp row) {
            const mlir::Attribute label = row.getLabelAttr();
            if (llvm::any_of(found, [&](const auto& other) { return other.first == label; }))
                return;
            const auto out = kernel.getOutLabels().getValue();
            const auto at = llvm::find(out, label);
            const auto result = mlir::dyn_cast<ga::TensorType>(kernel.getResult().getType());
            // A dense level of the result has room for every value anyway.
            bool fits = at == out.end() || result.getKinds()[at - out.begin()] != 0;
            LabelUses uses;
            for (auto access : kernel.block().getOps<it::AccessOp>()) {
                const auto type = mlir::cast<ga::TensorType>(access.getTensor().getType());
                const auto input =
                    mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber();
                for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
                    const auto dimension = static_cast<unsigned>(type.getOrder()[level]);
                    const bool is_here = access.getLabels()[dimension] == label;
                    const bool is_input =
                        llvm::any_of(uses, [&](const auto& use) { return use.first == input; });
                    if (!is_here) continue;
                    // Under another label the same tensor has to stay as it is.
                    fits &= !type.isWhole(level) && !is_input;
                    uses.emplace_back(input, static_cast<std::int64_t>(level));
                }
            }
            for (auto access : kernel.block().getOps<it::AccessOp>()) {
                const auto input =
                    mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber();
                const bool is_used =
                    llvm::any_of(uses, [&](const auto& use) { return use.first == input; });
                fits &= !is_used || llvm::is_contained(access.getLabels().getValue(), label);
            }
            if (fits && !uses.empty()) found.emplace_back(label, std::move(uses));
        });
        return found;
    }

    Value plan(it::KernelOp kernel, const OuterLoop& outer, llvm::ArrayRef<Value> inputs,
               llvm::ArrayRef<Value> sizes) {
        if (outer.kind == OuterLoop::Kind::ranges) {
            Value entries = code_.number(0);
            for (const auto [type, input] :
                 llvm::zip_equal(kernel.getInputs().getTypes(), inputs)) {
                if (!mlir::isa<ga::TensorType>(type)) continue;
                entries = code_.add(
                    entries, code_.field(code_.i64(), input, offsetof(cpu::TensorView, entries)));
            }
            return call(TROPIC_FUNCTION(plan_ranges), code_.i64(), {sizes[outer.label], entries});
        }
        Value count = code_.number(1);
        Value pos = code_.null();
        // A guess of the time that one unit of work takes, in nanoseconds.
        bool nested = false;
        kernel.walk([&](it::IndexOp index) {
            nested |= static_cast<bool>(index->getParentOfType<it::IndexOp>());
        });
        const double cost = outer.balance_input >= 0 ? 2 : nested ? 20 : 1;
        if (outer.kind == OuterLoop::Kind::coordinates) count = sizes[outer.label];
        if (outer.kind == OuterLoop::Kind::positions) {
            count = code_.load_index(
                level_field(code_.pointer(), inputs[outer.input], 0, offsetof(cpu::LevelView, pos)),
                code_.number(1));
        }
        if (outer.balance_input >= 0) {
            pos = level_field(code_.pointer(), inputs[outer.balance_input], 1,
                              offsetof(cpu::LevelView, pos));
        }
        return call(TROPIC_FUNCTION(plan), code_.i64(), {count, pos, code_.real(cost)});
    }

    struct Output {
        Value view;       ///< dense
        Value entries;    ///< sparse
        Value row_counts; ///< rows
        Value values;     ///< scalar: partial values
        Value present;    ///< scalar: a byte for each of them
        Value shape;      ///< sizes in the order of dimensions
        mlir::Type element;
    };

    Output begin_output(it::KernelOp kernel, const KernelCode& body, llvm::ArrayRef<Value> inputs,
                        llvm::ArrayRef<Value> sizes, Value chunks) {
        Output output;
        const auto type = mlir::dyn_cast<ga::TensorType>(kernel.getResult().getType());
        if (!type) {
            output.element = kernel.getResult().getType();
            output.values = scratch(code_.mul(chunks, code_.number(8)));
            output.present = scratch(chunks);
            return output;
        }
        output.element = type.getElement();
        if (const auto old = kernel.getInPlace() ? kernel.getInPlace() : kernel.getOnto()) {
            // One more who holds it makes it a copy.
            if (!kernel.getInPlace()) retain(inputs[*old]);
            output.view = call(TROPIC_FUNCTION(take_over), code_.pointer(), {inputs[*old]});
            if (!kernel.getInPlace()) release(inputs[*old]);
            return output;
        }
        llvm::SmallVector<Value> shape(type.getOrder().size());
        for (std::size_t level = 0; level < shape.size(); ++level) {
            const auto label = kernel.getOutLabels()[static_cast<unsigned>(level)];
            const auto found = llvm::find(kernel.getLabels().getValue(), label);
            shape[static_cast<std::size_t>(type.getOrder()[level])] =
                sizes[found - kernel.getLabels().getValue().begin()];
        }
        output.shape = array(shape);
        const Value element = type_number(type.getElement());
        if (kernel.getOutput() == it::Output::dense) {
            const std::size_t function =
                body.writes_everywhere ? TROPIC_FUNCTION(dense) : TROPIC_FUNCTION(empty);
            output.view = call(function, code_.pointer(), {element, format(type), output.shape});
            return output;
        }
        const bool rows = kernel.getOutput() != it::Output::entries;
        std::int64_t appended = (std::int64_t{1} << type.rank()) - 1;
        Value counts = code_.null();
        Value row_number = code_.number(0);
        if (rows) {
            appended &= ~(std::int64_t{1} << type.getOrder()[0]);
            counts = code_.slot(code_.pointer());
            row_number = shape[static_cast<std::size_t>(type.getOrder()[0])];
        }
        output.entries = call(TROPIC_FUNCTION(begin_entries), code_.pointer(),
                              {element, code_.number(appended), row_number, counts});
        if (rows) output.row_counts = code_.load(code_.pointer(), counts);
        return output;
    }

    Value scratch(Value bytes) { return call(TROPIC_FUNCTION(scratch), code_.pointer(), {bytes}); }

    Value contents(const FrameSlot& slot, llvm::ArrayRef<Value> inputs, llvm::ArrayRef<Value> sizes,
                   const Output& output) {
        switch (slot.kind) {
        case FrameSlot::Kind::values:
            return code_.field(code_.pointer(), inputs[slot.input],
                               offsetof(cpu::TensorView, values));
        case FrameSlot::Kind::level_pos:
            return level_field(code_.pointer(), inputs[slot.input], slot.level,
                               offsetof(cpu::LevelView, pos));
        case FrameSlot::Kind::level_crd:
            return level_field(code_.pointer(), inputs[slot.input], slot.level,
                               offsetof(cpu::LevelView, crd));
        case FrameSlot::Kind::level_size:
            return level_field(code_.i64(), inputs[slot.input], slot.level,
                               offsetof(cpu::LevelView, size));
        case FrameSlot::Kind::scalar:
            return inputs[slot.input];
        case FrameSlot::Kind::label_size:
            return sizes[slot.input];
        case FrameSlot::Kind::result_values:
            return code_.field(code_.pointer(), output.view, offsetof(cpu::TensorView, values));
        case FrameSlot::Kind::entries:
            return output.entries;
        case FrameSlot::Kind::row_counts:
            return output.row_counts;
        case FrameSlot::Kind::partial_values:
            return output.values;
        case FrameSlot::Kind::partial_present:
            return output.present;
        case FrameSlot::Kind::runtime:
            break;
        }
        return runtime_;
    }

    Value finish_output(it::KernelOp kernel, const Output& output, Value chunks) {
        if (output.view) return output.view;
        if (output.entries) {
            const auto type = mlir::cast<ga::TensorType>(kernel.getResult().getType());
            const bool jumbled = kernel.getOutput() == it::Output::jumbled_rows;
            return call(
                TROPIC_FUNCTION(end_entries), code_.pointer(),
                {output.entries, format(type), output.shape, code_.number(jumbled ? 1 : 0)});
        }
        return combine_chunks(kernel, output, chunks);
    }

    /// Folds the chunks' values in their order, so that the result is always the same.
    Value combine_chunks(it::KernelOp kernel, const Output& output, Value chunks) {
        ga::Operator fold = ga::Operator::second;
        kernel.walk([&](it::ComputeOp compute) {
            if (!compute.getTarget() && compute.getFold()) fold = *compute.getFold();
        });
        const mlir::Type type = output.element;
        const mlir::Type element =
            type.isF64() ? type
                         : mlir::IntegerType::get(type.getContext(), 64, mlir::IntegerType::Signed);
        const Value total = code_.slot(type);
        const Value any = code_.slot(code_.i1());
        code_.store(code_.zero(element), total);
        code_.store(code_.flag(false), any);
        code_.count(code_.number(0), chunks, [&](Value chunk) {
            const Value byte = code_.load_at(code_.i8(), output.present, chunk);
            const Value present = code_.is_nonzero(
                mlir::IntegerType::get(type.getContext(), 8, mlir::IntegerType::Unsigned), byte);
            code_.if_then(present, [&] {
                const Value value = code_.load_at(type, output.values, chunk);
                const Value folded = code_.operation(fold, element, code_.load(type, total), value);
                code_.store(code_.select(code_.load(code_.i1(), any), folded, value), total);
                code_.store(code_.flag(true), any);
            });
        });
        const Value result = code_.load(type, total);
        call(TROPIC_FUNCTION(release_scratch), {}, {output.values});
        call(TROPIC_FUNCTION(release_scratch), {}, {output.present});
        return result;
    }

    llvm::StringRef source_;
    mlir::ModuleOp module_;
    mlir::OpBuilder builder_;
    Code code_;
    bool wide_;
    Value runtime_, session_;
    mlir::IRMapping values_;
    std::map<std::string, mlir::LLVM::GlobalOp> globals_;
    int kernels_ = 0;
};

} // namespace

void it_to_loops(mlir::ModuleOp module, bool wide, llvm::StringRef source) {
    HostEmitter(module, wide, source).run();
}

} // namespace tropic::compile
