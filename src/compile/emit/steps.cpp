// One step of a loop: where each access stands at its coordinate.
#include "compile/emit/kernel_emitter_class.h"

namespace tropic::compile {

void KernelEmitter::step(it::IndexOp index, const std::string& label, Value coordinate,
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
                          frame({FrameSlot::Kind::row_counts, 0, 0}, code_.pointer()), coordinate);
    }
    accesses_ = accesses;
    coordinates_ = coordinates;
    walked_rows_ = located;
}

void KernelEmitter::enter(AccessState& state, const Cursor& cursor) {
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

bool KernelEmitter::enter_dense(AccessState& state, const std::string& label, Value coordinate) {
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

void KernelEmitter::enter_repeated(AccessState& state, const std::string& label, Value coordinate) {
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

} // namespace tropic::compile
