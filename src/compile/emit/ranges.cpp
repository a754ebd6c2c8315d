// Loops that keep to a range of coordinates: threads share those of a result whose terms come from
// all over, and each of them goes through all rows for the entries that are its own.
#include "compile/emit/kernel_emitter_class.h"
#include "compile/emit/lane_operations.h"

namespace tropic::compile {

void KernelEmitter::keep_to_range(Cursor& cursor) {
    const Value begin = code_.slot(code_.i64());
    const Value end = code_.slot(code_.i64());
    code_.store(cursor.begin, begin);
    code_.store(cursor.end, end);
    // Many rows are inside of the range, or outside: only the others have to be searched.
    code_.if_then(code_.less(cursor.begin, cursor.end), [&] {
        const Value first = code_.load_index(cursor.coordinates, cursor.begin);
        const Value last =
            code_.load_index(cursor.coordinates, code_.sub(cursor.end, code_.number(1)));
        code_.if_then(code_.less(first, begin_),
                      [&] { code_.store(find_in_row(cursor, begin_), begin); });
        code_.if_then(code_.negation(code_.less(last, end_)),
                      [&] { code_.store(find_in_row(cursor, end_), end); });
    });
    cursor.begin = code_.load(code_.i64(), begin);
    cursor.end = code_.load(code_.i64(), end);
}

Value KernelEmitter::find_in_row(const Cursor& cursor, Value bound) {
    if (!gathers_) return lower_bound(cursor, bound);
    // Halving a row is a series of guesses; smaller coordinates are counted faster than that, many
    // at a time.
    const unsigned lanes = vector_bits / code_.index().getIntOrFloatBitWidth();
    const Value found = code_.slot(code_.i64());
    code_.store(cursor.begin, found);
    const Value limit = splat(as_index(bound), lanes);
    code_.count(
        cursor.begin, cursor.end,
        [&](Value position) {
            const Value left = code_.minimum(code_.sub(cursor.end, position), code_.number(lanes));
            const Lanes group{lanes, position, {}, first_lanes(lanes, left), {}};
            const Value coordinates = load_lanes(group, code_.index(), cursor.coordinates);
            const Value smaller = code_.both(group.inside, code_.less(coordinates, limit));
            code_.store(code_.add(code_.load(code_.i64(), found), lanes_set(smaller)), found);
        },
        Code::Along::row_one_by_one, static_cast<std::int64_t>(lanes));
    return code_.load(code_.i64(), found);
}

} // namespace tropic::compile
