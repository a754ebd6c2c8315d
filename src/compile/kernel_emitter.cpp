#include "compile/kernel_emitter.h"

#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "machines/cpu/runtime.h"

namespace tropic::compile {

namespace {

using Kind = FrameSlot::Kind;

/// A domain as parsed from its text.
struct DomainTree {
    enum class Kind : std::uint8_t { all, driver, both, either };
    Kind kind = Kind::all;
    std::size_t driver = 0;
    std::vector<DomainTree> parts;

    bool has_all() const {
        if (kind == Kind::all) return true;
        return std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_all(); });
    }
    /// True if the domain holds wherever one of its drivers stands.
    bool is_union() const {
        if (kind == Kind::both) return false;
        return std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p.is_union(); });
    }
};

class DomainParser {
  public:
    explicit DomainParser(llvm::StringRef text) : text_(text) {}
    DomainTree parse() {
        DomainTree left = operand();
        while (!text_.empty() && text_.front() != ')') {
            const char op = text_.front();
            text_ = text_.drop_front();
            DomainTree right = operand();
            DomainTree both;
            both.kind = op == '&' ? DomainTree::Kind::both : DomainTree::Kind::either;
            both.parts.push_back(std::move(left));
            both.parts.push_back(std::move(right));
            left = std::move(both);
        }
        return left;
    }

  private:
    DomainTree operand() {
        DomainTree tree;
        if (text_.consume_front("(")) {
            tree = parse();
            text_.consume_front(")");
        } else if (!text_.consume_front("*")) {
            tree.kind = DomainTree::Kind::driver;
            text_.consumeInteger(10, tree.driver);
        }
        return tree;
    }
    llvm::StringRef text_;
};

/// An element while it is computed; a null `present` means always.
struct Element {
    Value value;
    Value present;
};

/// How far a tensor has been entered by the loops around.
struct AccessState {
    ga::TensorType type;
    std::vector<std::string> labels; ///< by dimension
    int input = 0;
    std::size_t level = 0; ///< the next to be entered
    Value position;        ///< in the level entered last; null: the root
    Value present;         ///< null: always
    Value begin, end;      ///< the entries of a group, when the next level is a singleton

    const std::string& label_of(std::size_t l) const {
        return labels[static_cast<std::size_t>(type.getOrder()[l])];
    }
    bool entered() const { return level == type.getKinds().size(); }
};

struct Accumulator {
    mlir::Type element;
    ga::Operator fold;
    Value value;   ///< slot
    Value present; ///< slot of i1
};

/// A sparse row. A coordinate is marked when its stamp is 2g, filled when it is 2g + 1, where g
/// numbers the rows made in this memory: nothing has to be cleared between rows.
struct Workspace {
    mlir::Type element;
    std::string label;
    Value header, stamps, values, list;
    Value rows;       ///< slot: g of the last row; kept in the header between kernels
    Value generation; ///< slot: 2g, as a stamp
    Value count;      ///< slot
    bool masked = false;
    bool walked = false; ///< some loop follows the list
    bool valued = false; ///< somebody looks at the values
};

class KernelEmitter {
  public:
    KernelEmitter(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name, bool wide)
        : kernel_(kernel), code_(builder, kernel.getLoc(), wide) {
        for (const auto label : kernel.getLabels().getAsRange<mlir::StringAttr>()) {
            labels_.push_back(label.str());
        }
        for (const auto label : kernel.getOutLabels().getAsRange<mlir::StringAttr>()) {
            out_labels_.push_back(label.str());
        }
        result_.outer = outer_loop();
        make_function(name);
    }

    KernelCode emit() {
        mlir::OpBuilder& builder = code_.builder();
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToEnd(body_);
        prepare_output();
        emit_block(kernel_.block());
        for (const auto& [op, row] : workspaces_) {
            code_.store(code_.load(code_.i64(), row.rows), row.header);
        }
        finish_output();
        mlir::LLVM::ReturnOp::create(builder, code_.at(), mlir::ValueRange{});
        result_.writes_everywhere = writes_everywhere();
        return result_;
    }

  private:
    // --- the function and its frame --------------------------------------------------------------

    void make_function(llvm::StringRef name) {
        mlir::OpBuilder& builder = code_.builder();
        mlir::OpBuilder::InsertionGuard guard(builder);
        const mlir::Type pointer = code_.pointer();
        const mlir::Type i64 = code_.i64();
        const auto type = mlir::LLVM::LLVMFunctionType::get(
            mlir::LLVM::LLVMVoidType::get(builder.getContext()), {pointer, i64, i64, i64, pointer});
        result_.function = mlir::LLVM::LLVMFuncOp::create(builder, code_.at(), name, type,
                                                          mlir::LLVM::Linkage::Internal);
        // Slots, the frame's contents and workspaces are asked for in the entry block, whenever the
        // need for one is discovered; the work is in a second one.
        mlir::Block* entry = result_.function.addEntryBlock(builder);
        entry_ = entry;
        body_ = builder.createBlock(&result_.function.getBody());
        builder.setInsertionPointToEnd(entry);
        mlir::LLVM::BrOp::create(builder, code_.at(), body_);
        frame_ = entry->getArgument(0);
        chunk_ = entry->getArgument(1);
        begin_ = entry->getArgument(2);
        end_ = entry->getArgument(3);
        worker_ = entry->getArgument(4);
    }

    /// The contents of a frame slot, loaded once at the head of the function.
    Value frame(const FrameSlot& slot, mlir::Type type) {
        for (std::size_t i = 0; i < result_.frame.size(); ++i) {
            if (result_.frame[i] == slot) return frame_values_[i];
        }
        mlir::OpBuilder& builder = code_.builder();
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(entry_);
        const Value address = code_.element_address(
            code_.i64(), frame_, code_.number(static_cast<std::int64_t>(result_.frame.size())));
        result_.frame.push_back(slot);
        frame_values_.push_back(code_.load(type, address));
        return frame_values_.back();
    }
    Value values_of(int input) { return frame({Kind::values, input, 0}, code_.pointer()); }
    Value pos_of(const AccessState& access, std::size_t level) {
        return frame({Kind::level_pos, access.input, static_cast<int>(level)}, code_.pointer());
    }
    Value crd_of(const AccessState& access, std::size_t level) {
        return frame({Kind::level_crd, access.input, static_cast<int>(level)}, code_.pointer());
    }
    Value level_size(const AccessState& access, std::size_t level) {
        return frame({Kind::level_size, access.input, static_cast<int>(level)}, code_.i64());
    }
    Value label_size(const std::string& label) {
        const auto at = std::find(labels_.begin(), labels_.end(), label) - labels_.begin();
        return frame({Kind::label_size, static_cast<int>(at), 0}, code_.i64());
    }
    Value runtime() { return frame({Kind::runtime, 0, 0}, code_.pointer()); }

    // --- the outermost loop ----------------------------------------------------------------------

    it::IndexOp outermost() {
        for (mlir::Operation& op : kernel_.block()) {
            if (auto index = mlir::dyn_cast<it::IndexOp>(op)) {
                if (index.getParallel()) return index;
            }
        }
        return {};
    }

    int label_number(llvm::StringRef label) const {
        return static_cast<int>(std::find(labels_.begin(), labels_.end(), label.str()) -
                                labels_.begin());
    }

    OuterLoop outer_loop() {
        OuterLoop outer;
        it::IndexOp index = outermost();
        if (!index) return outer;
        outer.kind = OuterLoop::Kind::coordinates;
        outer.label = label_number(index.getLabel());
        if (index.getDomain() == "0") {
            auto access = index.getDrivers()[0].getDefiningOp<it::AccessOp>();
            if (access) {
                outer.kind = OuterLoop::Kind::positions;
                outer.input = input_number(access);
            }
        }
        const bool by_position = outer.kind == OuterLoop::Kind::positions;
        for (auto access : kernel_.block().getOps<it::AccessOp>()) {
            const auto type = mlir::cast<ga::TensorType>(access.getTensor().getType());
            if (type.rank() < 2 || type.getKinds()[1] != 1) continue;
            if (by_position ? input_number(access) != outer.input : type.getKinds()[0] != 0) {
                continue;
            }
            const auto first = static_cast<unsigned>(type.getOrder()[0]);
            const auto label = mlir::cast<mlir::StringAttr>(access.getLabels()[first]);
            if (label.getValue() == index.getLabel()) {
                outer.balance_input = input_number(access);
                break;
            }
        }
        return outer;
    }

    static int input_number(it::AccessOp access) {
        return static_cast<int>(mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber());
    }

    // --- the tree --------------------------------------------------------------------------------

    void emit_block(mlir::Block& block) {
        for (mlir::Operation& op : block) {
            code_.set_location(op.getLoc());
            if (auto access = mlir::dyn_cast<it::AccessOp>(op)) open(access);
            else if (auto index = mlir::dyn_cast<it::IndexOp>(op)) emit_index(index);
            else if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) emit_compute(compute);
            else if (auto sum = mlir::dyn_cast<it::AccumulatorOp>(op)) begin_accumulator(sum);
            else if (auto row = mlir::dyn_cast<it::WorkspaceOp>(op)) begin_workspace(row);
            else if (auto mark = mlir::dyn_cast<it::MarkOp>(op)) mark_place(mark);
        }
    }

    void open(it::AccessOp op) {
        AccessState state;
        state.type = mlir::cast<ga::TensorType>(op.getTensor().getType());
        for (const auto label : op.getLabels().getAsRange<mlir::StringAttr>()) {
            state.labels.push_back(label.str());
        }
        state.input = input_number(op);
        accesses_[op.getResult()] = state;
    }

    // --- loops -----------------------------------------------------------------------------------

    /// A driver of a loop while it is walked: entries `begin` to `end`, of which the coordinates
    /// are in `coordinates`.
    struct Cursor {
        Value access; ///< its key
        bool is_row = false;
        bool groups = false; ///< equal coordinates follow each other and are one step
        Value coordinates;
        Value begin, end;
        bool required = false; ///< the domain holds only where this driver stands

        Value position;  ///< slot
        Value group_end; ///< slot
        Value standing;  ///< i1: this driver is at the coordinate of the step
    };

    Cursor cursor_of(Value access, const std::string& label, bool sorted) {
        Cursor cursor;
        cursor.access = access;
        const auto row = workspaces_.find(access);
        if (row != workspaces_.end()) {
            cursor.is_row = true;
            cursor.coordinates = row->second.list;
            cursor.begin = code_.number(0);
            cursor.end = code_.load(code_.i64(), row->second.count);
            if (sorted) {
                code_.call(runtime(), offsetof(cpu::Runtime, sort_coordinates), {},
                           {worker_, row->second.list, cursor.end, label_size(label)});
            }
            return cursor;
        }
        const AccessState& state = accesses_.at(access);
        cursor.coordinates = crd_of(state, state.level);
        const auto kinds = state.type.getKinds();
        cursor.groups = state.level + 1 < kinds.size() && kinds[state.level + 1] == 2;
        if (kinds[state.level] == 2) {
            cursor.begin = state.begin;
            cursor.end = state.end;
            return cursor;
        }
        const Value pos = pos_of(state, state.level);
        const Value parent = state.position ? state.position : code_.number(0);
        if (!state.present) {
            cursor.begin = code_.load_index(pos, parent);
            cursor.end = code_.load_index(pos, code_.add(parent, code_.number(1)));
            return cursor;
        }
        // Absent: no entries. The arrays may be too short to be looked at.
        const Value begin = code_.slot(code_.i64());
        const Value end = code_.slot(code_.i64());
        code_.store(code_.number(0), begin);
        code_.store(code_.number(0), end);
        code_.if_then(state.present, [&] {
            code_.store(code_.load_index(pos, parent), begin);
            code_.store(code_.load_index(pos, code_.add(parent, code_.number(1))), end);
        });
        cursor.begin = code_.load(code_.i64(), begin);
        cursor.end = code_.load(code_.i64(), end);
        return cursor;
    }

    void emit_index(it::IndexOp index) {
        const DomainTree domain = DomainParser(index.getDomain()).parse();
        const std::string label = index.getLabel().str();
        std::vector<Cursor> cursors;
        for (const Value driver : index.getDrivers()) {
            cursors.push_back(cursor_of(driver, label, index.getSorted()));
        }
        const auto accesses = accesses_;
        const auto coordinates = coordinates_;
        const auto located = walked_rows_;
        const bool outer = index == outermost();
        if (index == first_folded_) {
            seen_ = code_.slot(code_.i1());
            code_.store(code_.flag(false), seen_);
        }
        if (domain.kind == DomainTree::Kind::all) {
            const Value begin = outer ? begin_ : code_.number(0);
            const Value end = outer ? end_ : label_size(label);
            count(index, begin, end, [&](Value i) { step(index, label, i, cursors); });
        } else if (domain.kind == DomainTree::Kind::driver) {
            cursors[0].required = true;
            // Room for all of them at once: the loop itself gets shorter.
            has_room_ = only_appends(index) && !cursors[0].groups;
            if (has_room_) make_room(code_.sub(cursors[0].end, cursors[0].begin));
            walk(index, label, cursors, outer);
            has_room_ = false;
        } else {
            mark_required(domain, cursors, true);
            merge(index, label, domain, cursors, outer);
        }
        accesses_ = accesses;
        coordinates_ = coordinates;
        walked_rows_ = located;
    }

    static void mark_required(const DomainTree& domain, std::vector<Cursor>& cursors,
                              bool required) {
        if (domain.kind == DomainTree::Kind::driver) cursors[domain.driver].required = required;
        for (const DomainTree& part : domain.parts) {
            mark_required(part, cursors, required && domain.kind == DomainTree::Kind::both);
        }
    }

    // --- loops that may end early ----------------------------------------------------------------

    /// What the loop computes, if that is nothing but one value that soon cannot change any more.
    std::optional<Value> settled_target(it::IndexOp index) {
        Value target;
        bool only = true;
        index.walk([&](mlir::Operation* op) {
            if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) {
                only &= compute.getTarget() && (!target || target == compute.getTarget());
                target = compute.getTarget();
            }
            only &= !mlir::isa<it::MarkOp>(op);
        });
        if (!only || !target) return std::nullopt;
        const auto sum = accumulators_.find(target);
        // One that starts within the loop is another one at each step.
        if (sum == accumulators_.end() || index->isAncestor(target.getDefiningOp())) {
            return std::nullopt;
        }
        return target;
    }

    /// i1: further terms make no difference; null where that cannot be known.
    Value settled(it::IndexOp index) {
        if (direct_ && first_folded_ && first_folded_->isAncestor(index) &&
            index->isAncestor(last_folded_)) {
            const bool one_is_enough =
                direct_.getFold() == ga::Operator::any || direct_.getFold() == ga::Operator::first;
            return one_is_enough ? code_.load(code_.i1(), seen_) : Value();
        }
        const auto target = settled_target(index);
        if (!target) return {};
        const Accumulator& sum = accumulators_.at(*target);
        if (sum.fold == ga::Operator::any || sum.fold == ga::Operator::first) {
            return code_.load(code_.i1(), sum.present);
        }
        if (!sum.element.isInteger(1)) return {};
        const Value value = code_.load(code_.i1(), sum.value);
        switch (sum.fold) {
        case ga::Operator::add:
        case ga::Operator::maximum:
        case ga::Operator::logical_or:
            return value;
        case ga::Operator::multiply:
        case ga::Operator::minimum:
        case ga::Operator::logical_and:
            return code_.both(code_.load(code_.i1(), sum.present), code_.negation(value));
        default:
            return {};
        }
    }

    Value going_on(it::IndexOp index, Value more) {
        const Value done = settled(index);
        return done ? code_.both(more, code_.negation(done)) : more;
    }

    /// A loop that does nothing but sum up what it finds in other places than along the driver.
    bool sums_at_random(it::IndexOp index, Value driver) {
        if (!llvm::hasSingleElement(index.block())) return false;
        auto compute = mlir::dyn_cast<it::ComputeOp>(index.block().front());
        if (!compute) return false;
        const bool sums = compute.getTarget() ? accumulators_.count(compute.getTarget()) != 0
                                              : total_.has_value();
        return sums && llvm::any_of(compute.block().getOps<it::ElementOp>(),
                                    [&](it::ElementOp op) { return op.getAccess() != driver; });
    }

    template <class Body> void count(it::IndexOp index, Value begin, Value end, const Body& body) {
        const Code::Along along = std::exchange(along_, Code::Along::all);
        const Value probe = settled(index);
        if (!probe) return code_.count(begin, end, body, along);
        const Value at = code_.slot(code_.i64());
        code_.store(begin, at);
        code_.loop([&] { return going_on(index, code_.less(code_.load(code_.i64(), at), end)); },
                   [&] {
                       const Value here = code_.load(code_.i64(), at);
                       body(here);
                       code_.store(code_.add(here, code_.number(1)), at);
                   });
    }

    /// One driver, followed entry by entry.
    void walk(it::IndexOp index, const std::string& label, std::vector<Cursor>& cursors,
              bool outer) {
        Cursor& cursor = cursors[0];
        Value begin = outer ? begin_ : cursor.begin;
        Value end = outer ? end_ : cursor.end;
        const auto position_slot = [&] {
            cursor.position = code_.slot(code_.i64());
            cursor.group_end = code_.slot(code_.i64());
        };
        if (!cursor.groups) {
            position_slot();
            along_ = sums_at_random(index, cursor.access) ? Code::Along::row_at_random
                                                          : Code::Along::row;
            count(index, begin, end, [&](Value position) {
                code_.store(position, cursor.position);
                step(index, label, code_.load_index(cursor.coordinates, position), cursors);
            });
            return;
        }
        if (outer) {
            // Groups belong to the chunk they begin in.
            begin = skip_group(cursor, begin, cursor.end);
            end = skip_group(cursor, end, cursor.end);
        }
        position_slot();
        code_.store(begin, cursor.position);
        code_.loop(
            [&] {
                return going_on(index, code_.less(code_.load(code_.i64(), cursor.position), end));
            },
            [&] {
                const Value position = code_.load(code_.i64(), cursor.position);
                const Value coordinate = code_.load_index(cursor.coordinates, position);
                find_group_end(cursor, position, coordinate);
                step(index, label, coordinate, cursors);
                code_.store(code_.load(code_.i64(), cursor.group_end), cursor.position);
            });
    }

    /// The first group that begins at or behind `from`.
    Value skip_group(const Cursor& cursor, Value from, Value end) {
        const Value slot = code_.slot(code_.i64());
        code_.store(from, slot);
        code_.loop(
            [&] {
                const Value at = code_.load(code_.i64(), slot);
                const Value inside =
                    code_.both(code_.less(code_.number(0), at), code_.less(at, end));
                const Value safe = code_.select(inside, at, code_.number(0));
                const Value before =
                    code_.select(inside, code_.sub(at, code_.number(1)), code_.number(0));
                return code_.both(inside,
                                  code_.equal(code_.load_index(cursor.coordinates, safe),
                                              code_.load_index(cursor.coordinates, before)));
            },
            [&] { code_.store(code_.add(code_.load(code_.i64(), slot), code_.number(1)), slot); });
        return code_.load(code_.i64(), slot);
    }

    void find_group_end(const Cursor& cursor, Value position, Value coordinate) {
        code_.store(code_.add(position, code_.number(1)), cursor.group_end);
        code_.loop(
            [&] {
                const Value at = code_.load(code_.i64(), cursor.group_end);
                const Value inside = code_.less(at, cursor.end);
                const Value safe = code_.select(inside, at, code_.number(0));
                return code_.both(
                    inside, code_.equal(code_.load_index(cursor.coordinates, safe), coordinate));
            },
            [&] {
                const Value at = code_.load(code_.i64(), cursor.group_end);
                code_.store(code_.add(at, code_.number(1)), cursor.group_end);
            });
    }

    /// The first position in [begin, end) whose coordinate is at least `bound`.
    Value lower_bound(const Cursor& cursor, Value bound) {
        const Value low = code_.slot(code_.i64());
        const Value high = code_.slot(code_.i64());
        code_.store(cursor.begin, low);
        code_.store(cursor.end, high);
        code_.loop(
            [&] { return code_.less(code_.load(code_.i64(), low), code_.load(code_.i64(), high)); },
            [&] {
                const Value sum =
                    code_.add(code_.load(code_.i64(), low), code_.load(code_.i64(), high));
                const Value middle =
                    mlir::arith::ShRSIOp::create(code_.builder(), code_.at(), sum, code_.number(1));
                const Value is_less =
                    code_.less(code_.load_index(cursor.coordinates, middle), bound);
                code_.if_then_else(
                    is_less, [&] { code_.store(code_.add(middle, code_.number(1)), low); },
                    [&] { code_.store(middle, high); });
            });
        return code_.load(code_.i64(), low);
    }

    /// Two plain lists side by side, each with its own end.
    bool is_simple_pair(it::IndexOp index, const DomainTree& domain,
                        const std::vector<Cursor>& cursors) {
        if (cursors.size() != 2 || domain.has_all() || cursors[0].groups || cursors[1].groups) {
            return false;
        }
        // What is left of one list is walked by a loop of its own: the inside is there three times.
        return domain.kind == DomainTree::Kind::both || index.block().getOps<it::IndexOp>().empty();
    }

    void merge_two(it::IndexOp index, const std::string& label, bool both,
                   std::vector<Cursor>& cursors) {
        const mlir::Type i64 = code_.i64();
        Cursor& left = cursors[0];
        Cursor& right = cursors[1];
        has_room_ = only_appends(index);
        if (has_room_) {
            make_room(
                code_.add(code_.sub(left.end, left.begin), code_.sub(right.end, right.begin)));
        }
        const auto alive = [&](const Cursor& cursor) {
            return code_.less(code_.load(i64, cursor.position), cursor.end);
        };
        code_.loop([&] { return going_on(index, code_.both(alive(left), alive(right))); },
                   [&] {
                       const Value here = code_.load(i64, left.position);
                       const Value there = code_.load(i64, right.position);
                       const Value a = code_.load_index(left.coordinates, here);
                       const Value b = code_.load_index(right.coordinates, there);
                       left.standing = code_.negation(code_.less(b, a));
                       right.standing = code_.negation(code_.less(a, b));
                       if (both) {
                           code_.if_then(code_.equal(a, b),
                                         [&] { step(index, label, a, cursors); });
                       } else {
                           step(index, label, code_.minimum(a, b), cursors);
                       }
                       const auto move = [&](const Cursor& cursor, Value from) {
                           const Value next = code_.add(from, code_.number(1));
                           code_.store(code_.select(cursor.standing, next, from), cursor.position);
                       };
                       move(left, here);
                       move(right, there);
                   });
        if (!both) {
            walk_rest(index, label, {left, right});
            walk_rest(index, label, {right, left});
        }
        has_room_ = false;
    }

    /// What is left of the first list when the second has ended.
    void walk_rest(it::IndexOp index, const std::string& label, std::vector<Cursor> cursors) {
        Cursor& cursor = cursors[0];
        cursor.required = true;
        cursors[1].standing = code_.flag(false);
        const Value begin = code_.load(code_.i64(), cursor.position);
        count(index, begin, cursor.end, [&](Value position) {
            code_.store(position, cursor.position);
            step(index, label, code_.load_index(cursor.coordinates, position), cursors);
        });
    }

    /// Several drivers at once: every step takes the least coordinate any of them stands at (or the
    /// next of all coordinates), asks the domain, and moves on those that stood there.
    void merge(it::IndexOp index, const std::string& label, const DomainTree& domain,
               std::vector<Cursor>& cursors, bool outer) {
        const mlir::Type i64 = code_.i64();
        for (Cursor& cursor : cursors) {
            cursor.position = code_.slot(i64);
            cursor.group_end = code_.slot(i64);
            if (outer) {
                const Value begin = lower_bound(cursor, begin_);
                cursor.end = lower_bound(cursor, end_);
                cursor.begin = begin;
            }
            code_.store(cursor.begin, cursor.position);
        }
        if (is_simple_pair(index, domain, cursors)) {
            return merge_two(index, label, domain.kind == DomainTree::Kind::both, cursors);
        }
        const bool all = domain.has_all();
        Value counter;
        Value limit;
        if (all) {
            counter = code_.slot(i64);
            limit = outer ? end_ : label_size(label);
            code_.store(outer ? begin_ : code_.number(0), counter);
        }
        const auto alive = [&](const Cursor& cursor) {
            return code_.less(code_.load(i64, cursor.position), cursor.end);
        };
        const std::function<Value(const DomainTree&)> can_go_on = [&](const DomainTree& part) {
            switch (part.kind) {
            case DomainTree::Kind::all:
                return code_.less(code_.load(i64, counter), limit);
            case DomainTree::Kind::driver:
                return alive(cursors[part.driver]);
            case DomainTree::Kind::both:
                return code_.both(can_go_on(part.parts[0]), can_go_on(part.parts[1]));
            case DomainTree::Kind::either:
                break;
            }
            return code_.either(can_go_on(part.parts[0]), can_go_on(part.parts[1]));
        };
        code_.loop(
            [&] {
                // With all coordinates in the domain, drivers cannot be ahead of the counter.
                return going_on(index, can_go_on(domain));
            },
            [&] {
                Value coordinate = all ? code_.load(i64, counter) : Value();
                std::vector<Value> stands_at;
                for (Cursor& cursor : cursors) {
                    const Value position = code_.load(i64, cursor.position);
                    const Value living = alive(cursor);
                    const Value safe = code_.select(living, position, code_.number(0));
                    const Value at =
                        code_.select(living, code_.load_index(cursor.coordinates, safe),
                                     code_.number(std::numeric_limits<std::int64_t>::max()));
                    stands_at.push_back(at);
                    if (!all) coordinate = coordinate ? code_.minimum(coordinate, at) : at;
                }
                for (std::size_t c = 0; c < cursors.size(); ++c) {
                    Cursor& cursor = cursors[c];
                    cursor.standing = code_.equal(stands_at[c], coordinate);
                    if (cursor.groups) {
                        const Value position = code_.load(i64, cursor.position);
                        code_.store(position, cursor.group_end);
                        code_.if_then(cursor.standing,
                                      [&] { find_group_end(cursor, position, coordinate); });
                    }
                }
                const std::function<Value(const DomainTree&)> holds =
                    [&](const DomainTree& part) -> Value {
                    switch (part.kind) {
                    case DomainTree::Kind::all:
                        return {};
                    case DomainTree::Kind::driver:
                        return cursors[part.driver].standing;
                    case DomainTree::Kind::both:
                        return code_.both(holds(part.parts[0]), holds(part.parts[1]));
                    case DomainTree::Kind::either:
                        break;
                    }
                    return code_.either(holds(part.parts[0]), holds(part.parts[1]));
                };
                const Value met = domain.is_union() ? Value() : holds(domain);
                if (met) code_.if_then(met, [&] { step(index, label, coordinate, cursors); });
                else step(index, label, coordinate, cursors);
                for (Cursor& cursor : cursors) {
                    const Value position = code_.load(i64, cursor.position);
                    const Value next = cursor.groups ? code_.load(i64, cursor.group_end)
                                                     : code_.add(position, code_.number(1));
                    code_.store(code_.select(cursor.standing, next, position), cursor.position);
                }
                if (all) code_.store(code_.add(coordinate, code_.number(1)), counter);
            });
    }

    /// The inside of a loop at one coordinate.
    void step(it::IndexOp index, const std::string& label, Value coordinate,
              const std::vector<Cursor>& cursors) {
        const auto accesses = accesses_;
        const auto coordinates = coordinates_;
        const auto located = walked_rows_;
        coordinates_[label] = coordinate;
        for (auto& [key, state] : accesses_) {
            const auto cursor =
                std::find_if(cursors.begin(), cursors.end(),
                             [&, access = key](const Cursor& c) { return c.access == access; });
            if (cursor != cursors.end()) enter(state, *cursor);
            else if (!enter_dense(state, label, coordinate)) continue;
            enter_repeated(state, label, coordinate);
        }
        for (const Cursor& cursor : cursors) {
            if (cursor.is_row)
                walked_rows_[cursor.access] = cursor.required ? Value() : cursor.standing;
        }
        const bool counts_rows = index == outermost() && is_rows();
        const Value before = counts_rows ? code_.load(code_.i64(), buffer_size_) : Value();
        emit_block(index.block());
        if (index == last_folded_) code_.store(code_.flag(true), seen_);
        if (counts_rows) {
            const Value after = code_.load(code_.i64(), buffer_size_);
            code_.store_index(code_.sub(after, before),
                              frame({Kind::row_counts, 0, 0}, code_.pointer()), coordinate);
        }
        accesses_ = accesses;
        coordinates_ = coordinates;
        walked_rows_ = located;
    }

    void enter(AccessState& state, const Cursor& cursor) {
        Value position = code_.load(code_.i64(), cursor.position);
        state.present = cursor.required ? Value() : cursor.standing;
        if (state.present) position = code_.select(state.present, position, code_.number(0));
        if (cursor.groups) {
            state.begin = position;
            state.end = code_.load(code_.i64(), cursor.group_end);
            if (state.present) state.end = code_.select(state.present, state.end, position);
        }
        state.position = position;
        ++state.level;
    }

    /// Dense levels of mixed formats; tensors that are dense altogether are addressed when read.
    bool enter_dense(AccessState& state, const std::string& label, Value coordinate) {
        if (state.type.isDense() || state.entered() || state.type.getKinds()[state.level] != 0 ||
            state.label_of(state.level) != label) {
            return false;
        }
        const Value size = level_size(state, state.level);
        state.position =
            state.position ? code_.add(code_.mul(state.position, size), coordinate) : coordinate;
        ++state.level;
        return true;
    }

    /// A label used twice: the next level is searched for the same coordinate.
    void enter_repeated(AccessState& state, const std::string& label, Value coordinate) {
        while (!state.entered() && state.label_of(state.level) == label) {
            if (enter_dense(state, label, coordinate)) continue;
            Value begin = state.begin;
            Value end = state.end;
            if (state.type.getKinds()[state.level] == 1) {
                const Value pos = pos_of(state, state.level);
                begin = code_.load_index(pos, state.position);
                end = code_.load_index(pos, code_.add(state.position, code_.number(1)));
                if (state.present) end = code_.select(state.present, end, begin);
            }
            // Equal coordinates follow each other: the first of them, and the end of the last.
            const Value found = code_.slot(code_.i64());
            const Value past = code_.slot(code_.i64());
            code_.store(code_.number(0), found);
            code_.store(code_.number(0), past);
            code_.count(begin, end, [&](Value at) {
                const Value here =
                    code_.equal(code_.load_index(crd_of(state, state.level), at), coordinate);
                code_.if_then(here, [&] {
                    const Value first = code_.equal(code_.load(code_.i64(), past), code_.number(0));
                    code_.store(code_.select(first, at, code_.load(code_.i64(), found)), found);
                    code_.store(code_.add(at, code_.number(1)), past);
                });
            });
            state.position = code_.load(code_.i64(), found);
            state.begin = state.position;
            state.end = code_.load(code_.i64(), past);
            state.present = code_.less(state.begin, state.end);
            ++state.level;
        }
    }

    // --- accumulators and workspaces -------------------------------------------------------------

    Accumulator make_accumulator(ga::Operator fold, mlir::Type element) {
        return {element, fold, code_.slot(code_.value_type(element)), code_.slot(code_.i1())};
    }
    void reset(const Accumulator& sum) {
        const auto identity = code_.identity(sum.fold, sum.element);
        code_.store(identity ? *identity : code_.zero(sum.element), sum.value);
        code_.store(code_.flag(false), sum.present);
    }
    void begin_accumulator(it::AccumulatorOp op) {
        const Accumulator sum = make_accumulator(op.getFold(), op.getElement());
        reset(sum);
        accumulators_.insert_or_assign(op.getResult(), sum);
    }
    void accumulate(const Accumulator& sum, const Element& element) {
        const mlir::Type type = code_.value_type(sum.element);
        const auto identity = code_.identity(sum.fold, sum.element);
        if (identity) {
            // No branch: whether an element is there is often hard to guess.
            Value value = element.value;
            Value present = code_.flag(true);
            if (element.present) {
                value = code_.select(element.present, value, *identity);
                present = mlir::arith::OrIOp::create(code_.builder(), code_.at(), element.present,
                                                     code_.load(code_.i1(), sum.present));
            }
            code_.store(code_.operation(sum.fold, sum.element, code_.load(type, sum.value), value,
                                        Code::Rounding::folded),
                        sum.value);
            code_.store(present, sum.present);
            return;
        }
        const auto fold = [&] {
            const Value folded = code_.operation(sum.fold, sum.element, code_.load(type, sum.value),
                                                 element.value, Code::Rounding::folded);
            const Value present = code_.load(code_.i1(), sum.present);
            code_.store(code_.select(present, folded, element.value), sum.value);
            code_.store(code_.flag(true), sum.present);
        };
        if (element.present) code_.if_then(element.present, fold);
        else fold();
    }

    void begin_workspace(it::WorkspaceOp op) {
        const mlir::Type stamp = code_.index();
        Workspace row;
        row.element = op.getElement();
        row.label = op.getLabel().str();
        for (mlir::Operation* user : op.getResult().getUsers()) {
            row.masked |= mlir::isa<it::MarkOp>(user);
            row.walked |= mlir::isa<it::IndexOp>(user);
            auto element = mlir::dyn_cast<it::ElementOp>(user);
            row.valued |= element && !llvm::all_of(element->getUsers(), [](mlir::Operation* op) {
                              auto combine = mlir::dyn_cast<it::CombineOp>(op);
                              return combine && combine.getOp() == ga::Operator::pair;
                          });
        }
        // The memory is the worker's and stays: asked for once in each chunk.
        {
            mlir::OpBuilder& builder = code_.builder();
            mlir::OpBuilder::InsertionGuard guard(builder);
            builder.setInsertionPoint(entry_->getTerminator());
            const Value size = label_size(row.label);
            const Value table = runtime();
            const auto first_slot = static_cast<std::int64_t>(3 * workspaces_.size());
            const auto memory = [&](int slot, std::int64_t extra, std::int64_t bytes) {
                const Value total =
                    code_.add(code_.mul(size, code_.number(bytes)), code_.number(extra));
                return code_.call(table, offsetof(cpu::Runtime, workspace), code_.pointer(),
                                  {worker_, code_.number(first_slot + slot), total});
            };
            row.header = memory(0, 64, code_.index_bytes());
            row.stamps = code_.element_address(code_.i8(), row.header, code_.number(64));
            const unsigned bits = code_.memory_type(row.element).getIntOrFloatBitWidth();
            if (row.valued) row.values = memory(1, 8, bits / 8);
            if (row.walked) row.list = memory(2, 8, code_.index_bytes());
            row.rows = code_.slot(code_.i64());
            code_.store(code_.load(code_.i64(), row.header), row.rows);
        }
        row.generation = code_.slot(stamp);
        row.count = code_.slot(code_.i64());
        // Rows are counted; stamps start anew before they would overflow.
        const Value rows = code_.load(code_.i64(), row.rows);
        const Value last = code_.number((std::int64_t{1} << 30) - 2);
        code_.if_then_else(
            code_.less(rows, last),
            [&] { code_.store(code_.add(rows, code_.number(1)), row.rows); },
            [&] {
                code_.count(code_.number(0), label_size(row.label),
                            [&](Value at) { code_.store_index(code_.number(0), row.stamps, at); });
                code_.store(code_.number(1), row.rows);
            });
        const Value generation = code_.mul(code_.load(code_.i64(), row.rows), code_.number(2));
        code_.store(as_index(generation), row.generation);
        code_.store(code_.number(0), row.count);
        workspaces_.insert_or_assign(op.getResult(), row);
    }

    Value as_index(Value value) {
        if (code_.index() == code_.i64()) return value;
        return mlir::arith::TruncIOp::create(code_.builder(), code_.at(), code_.index(), value);
    }

    void list_place(const Workspace& row, Value coordinate) {
        const Value count = code_.load(code_.i64(), row.count);
        code_.store_index(coordinate, row.list, count);
        code_.store(code_.add(count, code_.number(1)), row.count);
    }

    Value one_more(Value stamp) {
        const auto one = code_.builder().getIntegerAttr(code_.index(), 1);
        return code_.add(stamp, mlir::arith::ConstantOp::create(code_.builder(), code_.at(), one));
    }

    void mark_place(it::MarkOp op) {
        const Workspace& row = workspaces_.at(op.getWorkspace());
        const Value generation = code_.load(code_.index(), row.generation);
        code_.store_at(generation, row.stamps, coordinates_.at(row.label));
    }

    void fold_into_row(const Workspace& row, ga::Operator fold, const Element& element,
                       bool masked) {
        const Value at = coordinates_.at(row.label);
        const auto put = [&] {
            const Value stamp = code_.load_at(code_.index(), row.stamps, at);
            const Value marked = code_.load(code_.index(), row.generation);
            const Value filled = one_more(marked);
            const auto first = [&] {
                if (row.valued) code_.store_element(row.element, element.value, row.values, at);
                code_.store_at(filled, row.stamps, at);
                if (row.walked) list_place(row, at);
            };
            code_.if_then_else(
                code_.equal(stamp, filled),
                [&] {
                    if (!row.valued) return;
                    const Value old = code_.load_element(row.element, row.values, at);
                    code_.store_element(row.element,
                                        code_.operation(fold, row.element, old, element.value,
                                                        Code::Rounding::folded),
                                        row.values, at);
                },
                [&] {
                    if (masked) code_.if_then(code_.equal(stamp, marked), first);
                    else first();
                });
        };
        if (element.present) code_.if_then(element.present, put);
        else put();
    }

    // --- computations ----------------------------------------------------------------------------

    void emit_compute(it::ComputeOp compute) {
        std::map<mlir::Operation*, Element> done;
        const auto element_of = [&](Value value) { return done.at(value.getDefiningOp()); };
        for (mlir::Operation& op : compute.block()) {
            code_.set_location(op.getLoc());
            if (auto yield = mlir::dyn_cast<it::YieldOp>(op)) {
                put(compute, element_of(yield.getValue()), yield.getValue().getType());
                return;
            }
            done[&op] = evaluate(op, element_of);
        }
    }

    template <class Lookup> Element evaluate(mlir::Operation& op, const Lookup& element_of) {
        if (auto element = mlir::dyn_cast<it::ElementOp>(op)) return read(element.getAccess());
        if (auto scalar = mlir::dyn_cast<it::ScalarOp>(op)) {
            const auto argument = mlir::cast<mlir::BlockArgument>(scalar.getScalar());
            const bool real = argument.getType().isF64();
            const Value bits = frame({Kind::scalar, static_cast<int>(argument.getArgNumber()), 0},
                                     argument.getType());
            const mlir::Type from =
                real ? argument.getType()
                     : mlir::IntegerType::get(op.getContext(), 64, mlir::IntegerType::Signed);
            return {code_.convert(from, scalar.getResult().getType(), bits), {}};
        }
        if (auto combine = mlir::dyn_cast<it::CombineOp>(op)) {
            return combined(combine, element_of(combine.getLeft()), element_of(combine.getRight()));
        }
        if (auto apply = mlir::dyn_cast<it::ApplyOp>(op)) {
            const Element operand = element_of(apply.getOperand());
            const mlir::Type type = apply.getOperand().getType();
            switch (apply.getFunction()) {
            case ga::Function::negate:
                return {code_.negate(type, operand.value), operand.present};
            case ga::Function::convert:
                return {code_.convert(type, apply.getResult().getType(), operand.value),
                        operand.present};
            case ga::Function::nonzero:
                return {operand.value,
                        code_.both(operand.present, code_.is_nonzero(type, operand.value))};
            }
        }
        auto merge = mlir::cast<it::MergeOp>(op);
        const Element mask = element_of(merge.getMask());
        const Element value = element_of(merge.getValue());
        Value inside = mask.present;
        if (!merge.getStructural()) {
            inside = code_.both(inside, code_.is_nonzero(merge.getMask().getType(), mask.value));
        }
        if (!inside) return value;
        if (!merge.getOld()) return {value.value, code_.both(inside, value.present)};
        const Element old = element_of(merge.getOld());
        const auto flag = [&](Value present) { return present ? present : code_.flag(true); };
        Value present;
        if (value.present || old.present) {
            present = code_.select(inside, flag(value.present), flag(old.present));
        }
        return {code_.select(inside, value.value, old.value), present};
    }

    Element combined(it::CombineOp op, const Element& left, const Element& right) {
        const mlir::Type type = op.getResult().getType();
        const Value both = code_.operation(op.getOp(), type, left.value, right.value);
        if (op.getMeeting() == ga::Meeting::both) {
            return {both, code_.both(left.present, right.present)};
        }
        Value value = both;
        if (right.present) value = code_.select(right.present, value, left.value);
        if (left.present) {
            const Value alone = op.getOp() == ga::Operator::subtract
                                    ? code_.negate(type, right.value)
                                    : right.value;
            value = code_.select(left.present, value, alone);
        }
        return {value, code_.either(left.present, right.present)};
    }

    Element read(Value access) {
        const auto sum = accumulators_.find(access);
        if (sum != accumulators_.end()) {
            return {code_.load(code_.value_type(sum->second.element), sum->second.value),
                    code_.load(code_.i1(), sum->second.present)};
        }
        const auto row = workspaces_.find(access);
        if (row != workspaces_.end()) {
            const Workspace& space = row->second;
            const Value at = coordinates_.at(space.label);
            const Value value = space.valued ? code_.load_element(space.element, space.values, at)
                                             : code_.zero(space.element);
            const auto walked = walked_rows_.find(access);
            if (walked != walked_rows_.end() && !space.masked) return {value, walked->second};
            const Value filled = one_more(code_.load(code_.index(), space.generation));
            return {value, code_.equal(code_.load_at(code_.index(), space.stamps, at), filled)};
        }
        const AccessState& state = accesses_.at(access);
        const mlir::Type element = state.type.getElement();
        Value position = state.position;
        if (state.type.isDense()) position = dense_position(state);
        if (!position) position = code_.number(0);
        return {code_.load_element(element, values_of(state.input), position), state.present};
    }

    Value dense_position(const AccessState& state) {
        Value position;
        for (std::size_t level = 0; level < state.type.getKinds().size(); ++level) {
            const Value coordinate = coordinates_.at(state.label_of(level));
            position = position
                           ? code_.add(code_.mul(position, level_size(state, level)), coordinate)
                           : coordinate;
        }
        return position;
    }

    // --- the result ------------------------------------------------------------------------------

    bool is_rows() {
        return kernel_.getOutput() == it::Output::rows ||
               kernel_.getOutput() == it::Output::jumbled_rows;
    }
    bool is_appended() { return is_rows() || kernel_.getOutput() == it::Output::entries; }

    mlir::Type result_element() {
        if (const auto tensor = mlir::dyn_cast<ga::TensorType>(kernel_.getResult().getType())) {
            return tensor.getElement();
        }
        if (kernel_.getResult().getType().isF64()) return kernel_.getResult().getType();
        return mlir::IntegerType::get(kernel_.getContext(), 64, mlir::IntegerType::Signed);
    }

    /// The dimension that a level of the result stores.
    std::int64_t out_dimension(std::size_t level) {
        return mlir::cast<ga::TensorType>(kernel_.getResult().getType()).getOrder()[level];
    }

    /// Terms folded straight into rows of a dense result: every step of the loops over what is
    /// folded has one for each place of the row, and the first of them replaces what is there.
    void find_direct_fold() {
        kernel_.walk([&](it::ComputeOp compute) {
            const bool direct = kernel_.getOutput() == it::Output::dense && !compute.getTarget() &&
                                compute.getFold() && *compute.getFold() != ga::Operator::add;
            if (direct) direct_ = compute;
        });
        if (!direct_) return;
        for (auto loop = direct_->getParentOfType<it::IndexOp>(); loop;
             loop = loop->getParentOfType<it::IndexOp>()) {
            const std::string label = loop.getLabel().str();
            if (std::find(out_labels_.begin(), out_labels_.end(), label) != out_labels_.end()) {
                continue;
            }
            if (!last_folded_) last_folded_ = loop;
            first_folded_ = loop;
        }
    }

    void prepare_output() {
        find_direct_fold();
        if (kernel_.getOutput() == it::Output::scalar) {
            std::optional<ga::Operator> fold;
            kernel_.walk([&](it::ComputeOp compute) {
                if (!compute.getTarget()) fold = compute.getFold();
            });
            total_ = make_accumulator(fold ? *fold : ga::Operator::second, result_element());
            reset(*total_);
        }
        if (!is_appended()) return;
        const Value entries = frame({Kind::entries, 0, 0}, code_.pointer());
        buffer_ = code_.call(runtime(), offsetof(cpu::Runtime, entry_buffer), code_.pointer(),
                             {entries, chunk_});
        buffer_size_ = code_.slot(code_.i64());
        buffer_capacity_ = code_.slot(code_.i64());
        buffer_values_ = code_.slot(code_.pointer());
        for (std::size_t level = is_rows() ? 1 : 0; level < out_labels_.size(); ++level) {
            buffer_coordinates_.push_back(code_.slot(code_.pointer()));
        }
        load_buffer();
    }

    void load_buffer() {
        code_.store(code_.field(code_.i64(), buffer_, offsetof(cpu::EntryBuffer, size)),
                    buffer_size_);
        code_.store(code_.field(code_.i64(), buffer_, offsetof(cpu::EntryBuffer, capacity)),
                    buffer_capacity_);
        code_.store(code_.field(code_.pointer(), buffer_, offsetof(cpu::EntryBuffer, values)),
                    buffer_values_);
        const std::size_t first = is_rows() ? 1 : 0;
        for (std::size_t level = first; level < out_labels_.size(); ++level) {
            const auto offset = static_cast<std::int64_t>(offsetof(cpu::EntryBuffer, coordinates)) +
                                8 * out_dimension(level);
            code_.store(code_.field(code_.pointer(), buffer_, offset),
                        buffer_coordinates_[level - first]);
        }
    }

    /// Makes sure that so many entries fit.
    void make_room(Value more) {
        const Value size = code_.load(code_.i64(), buffer_size_);
        const Value capacity = code_.load(code_.i64(), buffer_capacity_);
        code_.if_then(code_.less(capacity, code_.add(size, more)), [&] {
            code_.set_field(size, buffer_, offsetof(cpu::EntryBuffer, size));
            code_.call(runtime(), offsetof(cpu::Runtime, grow), {},
                       {frame({Kind::entries, 0, 0}, code_.pointer()), buffer_, more});
            load_buffer();
        });
    }

    /// A loop that does nothing but append at most one entry at each step.
    bool only_appends(it::IndexOp index) {
        if (!is_appended() || index == outermost() || !llvm::hasSingleElement(index.block())) {
            return false;
        }
        auto compute = mlir::dyn_cast<it::ComputeOp>(index.block().front());
        return compute && !compute.getTarget();
    }

    void append(Value value) {
        if (!has_room_) make_room(code_.number(1));
        const Value size = code_.load(code_.i64(), buffer_size_);
        code_.store_element(result_element(), value, code_.load(code_.pointer(), buffer_values_),
                            size);
        const std::size_t first = is_rows() ? 1 : 0;
        for (std::size_t level = first; level < out_labels_.size(); ++level) {
            code_.store_index(coordinates_.at(out_labels_[level]),
                              code_.load(code_.pointer(), buffer_coordinates_[level - first]),
                              size);
        }
        code_.store(code_.add(size, code_.number(1)), buffer_size_);
    }

    void put(it::ComputeOp compute, const Element& element, mlir::Type type) {
        if (compute.getTarget()) {
            const auto sum = accumulators_.find(compute.getTarget());
            if (sum != accumulators_.end()) accumulate(sum->second, element);
            else {
                fold_into_row(workspaces_.at(compute.getTarget()), *compute.getFold(), element,
                              compute.getMasked());
            }
            return;
        }
        if (total_) return accumulate(*total_, element);
        const auto write = [&] {
            if (is_appended()) return append(element.value);
            Value position;
            for (const std::string& label : out_labels_) {
                const Value coordinate = coordinates_.at(label);
                position = position ? code_.add(code_.mul(position, label_size(label)), coordinate)
                                    : coordinate;
            }
            if (!position) position = code_.number(0);
            const Value base = frame({Kind::result_values, 0, 0}, code_.pointer());
            Value value = element.value;
            if (compute.getFold()) {
                value = code_.operation(*compute.getFold(), type,
                                        code_.load_element(type, base, position), value,
                                        Code::Rounding::folded);
            }
            if (compute == direct_) {
                value = code_.select(code_.load(code_.i1(), seen_), value, element.value);
            }
            code_.store_element(type, value, base, position);
        };
        // A sum of nothing is the zero that dense places hold anyway.
        const bool needs_test = element.present && !(is_dense_sum(compute));
        if (needs_test) code_.if_then(element.present, write);
        else write();
    }

    /// The computation stores a sum that starts at zero into a dense result.
    bool is_dense_sum(it::ComputeOp compute) {
        if (kernel_.getOutput() != it::Output::dense || compute.getFold()) return false;
        auto yield = mlir::cast<it::YieldOp>(compute.block().getTerminator());
        auto element = yield.getValue().getDefiningOp<it::ElementOp>();
        if (!element) return false;
        auto sum = element.getAccess().getDefiningOp<it::AccumulatorOp>();
        return sum && sum.getFold() == ga::Operator::add;
    }

    void finish_output() {
        if (total_) {
            const Value value = code_.load(code_.value_type(total_->element), total_->value);
            code_.store_element(total_->element, value,
                                frame({Kind::partial_values, 0, 0}, code_.pointer()), chunk_);
            const Value present = code_.load(code_.i1(), total_->present);
            code_.store_at(
                mlir::arith::ExtUIOp::create(code_.builder(), code_.at(), code_.i8(), present),
                frame({Kind::partial_present, 0, 0}, code_.pointer()), chunk_);
        }
        if (!is_appended()) return;
        code_.set_field(code_.load(code_.i64(), buffer_size_), buffer_,
                        offsetof(cpu::EntryBuffer, size));
    }

    /// A chain of loops over all coordinates of the result's labels, with a store that always
    /// happens at the end of it.
    bool writes_everywhere() {
        if (kernel_.getOutput() != it::Output::dense) return false;
        mlir::Block* block = &kernel_.block();
        std::size_t loops = 0;
        while (block != nullptr) {
            mlir::Block* inner = nullptr;
            for (mlir::Operation& op : *block) {
                if (auto index = mlir::dyn_cast<it::IndexOp>(op)) {
                    const auto found =
                        std::find(out_labels_.begin(), out_labels_.end(), index.getLabel().str());
                    if (found == out_labels_.end()) continue;
                    if (index.getDomain() != "*") return false;
                    inner = &index.block();
                } else if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) {
                    if (!compute.getTarget()) {
                        return loops == out_labels_.size() && !compute.getFold() &&
                               (is_dense_sum(compute) || always_present(compute));
                    }
                }
            }
            if (inner != nullptr) ++loops;
            block = inner;
        }
        return false;
    }

    /// Every element read comes from a dense tensor or is a scalar, and none is turned away.
    static bool always_present(it::ComputeOp compute) {
        return llvm::all_of(compute.block(), [](mlir::Operation& op) {
            if (auto element = mlir::dyn_cast<it::ElementOp>(op)) {
                auto access = element.getAccess().getDefiningOp<it::AccessOp>();
                return access && mlir::cast<ga::TensorType>(access.getTensor().getType()).isDense();
            }
            if (auto apply = mlir::dyn_cast<it::ApplyOp>(op)) {
                return apply.getFunction() != ga::Function::nonzero;
            }
            return !mlir::isa<it::MergeOp>(op);
        });
    }

    it::KernelOp kernel_;
    Code code_;
    KernelCode result_;
    std::vector<std::string> labels_;
    std::vector<std::string> out_labels_;

    mlir::Block* entry_ = nullptr;
    mlir::Block* body_ = nullptr;
    Value frame_, chunk_, begin_, end_, worker_;
    std::vector<Value> frame_values_;

    struct ByPointer {
        bool operator()(Value a, Value b) const {
            return a.getAsOpaquePointer() < b.getAsOpaquePointer();
        }
    };
    std::map<Value, AccessState, ByPointer> accesses_;
    std::map<Value, Accumulator, ByPointer> accumulators_;
    std::map<Value, Workspace, ByPointer> workspaces_;
    std::map<Value, Value, ByPointer> walked_rows_; ///< rows that loops around walk: present there
    std::map<std::string, Value> coordinates_;

    std::optional<Accumulator> total_;
    it::ComputeOp direct_; ///< see find_direct_fold
    it::IndexOp first_folded_, last_folded_;
    Value seen_; ///< slot: a term was folded since the loops over what is folded began
    Code::Along along_ = Code::Along::all; ///< of the next loop
    bool has_room_ = false;                ///< for what the loop around appends
    Value buffer_, buffer_size_, buffer_capacity_, buffer_values_;
    std::vector<Value> buffer_coordinates_;
};

} // namespace

KernelCode emit_kernel(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name,
                       bool wide) {
    return KernelEmitter(builder, kernel, name, wide).emit();
}

} // namespace tropic::compile
