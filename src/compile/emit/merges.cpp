// Loops over several drivers at once.
#include "compile/emit/kernel_emitter_class.h"

#include <functional>
#include <limits>

namespace tropic::compile {

void KernelEmitter::merge(it::IndexOp index, const std::string& label, const DomainTree& domain,
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

bool KernelEmitter::is_simple_pair(it::IndexOp index, const DomainTree& domain,
                                   const std::vector<Cursor>& cursors) {
    if (cursors.size() != 2 || domain.has_all() || cursors[0].groups || cursors[1].groups) {
        return false;
    }
    // What is left of one list is walked by a loop of its own: the inside is there three times.
    return domain.kind == DomainTree::Kind::both || index.block().getOps<it::IndexOp>().empty();
}

void KernelEmitter::merge_two(it::IndexOp index, const std::string& label, bool both,
                              std::vector<Cursor>& cursors) {
    const mlir::Type i64 = code_.i64();
    Cursor& left = cursors[0];
    Cursor& right = cursors[1];
    has_room_ = only_appends(index);
    if (has_room_) {
        make_room(code_.add(code_.sub(left.end, left.begin), code_.sub(right.end, right.begin)));
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
                       code_.if_then(code_.equal(a, b), [&] { step(index, label, a, cursors); });
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

void KernelEmitter::walk_rest(it::IndexOp index, const std::string& label,
                              std::vector<Cursor> cursors) {
    Cursor& cursor = cursors[0];
    cursor.required = true;
    cursors[1].standing = code_.flag(false);
    const Value begin = code_.load(code_.i64(), cursor.position);
    count(index, begin, cursor.end, [&](Value position) {
        code_.store(position, cursor.position);
        step(index, label, code_.load_index(cursor.coordinates, position), cursors);
    });
}

Value KernelEmitter::lower_bound(const Cursor& cursor, Value bound) {
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
            const Value is_less = code_.less(code_.load_index(cursor.coordinates, middle), bound);
            code_.if_then_else(
                is_less, [&] { code_.store(code_.add(middle, code_.number(1)), low); },
                [&] { code_.store(middle, high); });
        });
    return code_.load(code_.i64(), low);
}

} // namespace tropic::compile
