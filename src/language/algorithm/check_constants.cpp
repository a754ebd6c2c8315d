// Constants of the text: numbers that are worked out when it is checked.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/constant_values.h"

namespace tropic::language::algorithm {

/// In the order of the text: a constant may be made of those before it.
void Checker::add_constants() {
    for (const syntax::Function& function : tree_.functions) {
        if (function.kind != syntax::Function::Kind::constant) continue;
        const Expression value = scalar(*function.value, "a number");
        std::optional<Expression> number;
        if (value.type.is_known()) number = worked_out(value);
        if (value.type.is_known() && !number) {
            const bool integer = is_number(value.type) && !is_float(value.type.element);
            report(ErrorCode::inconsistent, function.value->place,
                   fmt::format("'{}' is no constant", function.name.text),
                   {.accepted = "numbers, constants that stand before it, + - * / %, min, max",
                    .hint = integer ? "integers go up to 9223372036854775807, those made of "
                                      "uint64(x) to 18446744073709551615"
                                    : ""});
        }
        if (!number) number = unknown_at(function.name.place);
        constants_.try_emplace(function.name.text,
                               Symbol{.value = std::make_shared<const Expression>(*number)});
    }
}

} // namespace tropic::language::algorithm
