#include "reference/run.h"

#include <ostream>
#include <random>
#include <set>
#include <sstream>

#include "reference/label_sizes.h"
#include "reference/print.h"

namespace tropic::reference {

using language::Expression;
using language::Mask;
using language::Meeting;
using language::Program;
using language::Statement;
using language::Variable;
using language::VariableId;

namespace {

class Run {
  public:
    Run(const Program& program, const Inputs& inputs, std::ostream& out, Memory start)
        : program_(program), inputs_(inputs), out_(out), sizes_(program),
          memory_(std::move(start)) {}

    Memory all() {
        statements(program_.statements);
        return std::move(memory_);
    }

  private:
    void statements(const std::vector<Statement>& body) {
        for (const Statement& statement : body) one(statement);
    }

    void one(const Statement& statement) {
        switch (statement.kind) {
        case Statement::Kind::assign:
            if (variable(statement).is_tensor) assign_tensor(statement);
            else assign_scalar(statement);
            return;
        case Statement::Kind::read:
            read(statement);
            return;
        case Statement::Kind::fill_random:
            fill_random(statement);
            return;
        case Statement::Kind::print:
            print(statement);
            return;
        case Statement::Kind::print_elapsed:
            out_ << "ELAPSED_TIME = "
                 << scalar(statement.operands[1]).real - scalar(statement.operands[0]).real << '\n';
            return;
        case Statement::Kind::loop:
            loop(statement);
            return;
        case Statement::Kind::forget:
            memory_.tensors.erase(statement.variable);
            formats_.erase(statement.variable);
            return;
        }
    }

    const Variable& variable(const Statement& statement) const {
        return program_.variables[statement.variable];
    }

    Number scalar(const Expression& expression) const {
        const LabelSizes sizes = sizes_.of(expression, memory_);
        return evaluate(expression, program_, memory_, sizes).table.entries.at({});
    }

    void assign_scalar(const Statement& statement) {
        const ElementType element = variable(statement).element;
        const Expression& expression = statement.operands[0];
        Number value = convert(scalar(expression), expression.element, element);
        if (statement.accumulate) {
            value =
                apply(*statement.accumulate, memory_.scalars[statement.variable], value, element);
        }
        memory_.scalars[statement.variable] = value;
    }

    /// Where the mask lets a statement write.
    std::set<Coordinates> mask_places(const Mask& mask, const Statement& statement,
                                      const LabelSizes& sizes) const {
        const Table& table = memory_.tensors.at(mask.variable);
        // Zeros are no entries where whole blocks are stored.
        const auto format = formats_.find(mask.variable);
        const bool blocks = table.dense || (format != formats_.end() &&
                                            format->second.levels.back() == LevelKind::dense);
        std::set<Coordinates> places;
        for (const auto& [at, value] :
             spread({mask.labels, table}, statement.labels, sizes).entries) {
            if (!blocks || !is_zero(value, table.element)) places.insert(at);
        }
        return places;
    }

    /// `target[labels]<mask> accumulate= value`: an accumulation is the assignment of
    /// `target accumulate value`; where the mask has nothing the target keeps what it had, and
    /// where the mask has something but the value nothing, the target has nothing either.
    void assign_tensor(const Statement& statement) {
        const LabelSizes sizes = sizes_.of(statement, memory_);
        const Labelled labelled = evaluate(statement.operands[0], program_, memory_, sizes);
        const bool is_scalar = labelled.labels.empty();
        Table value = spread(labelled, statement.labels, sizes);
        const ElementType element = variable(statement).element;
        for (auto& [at, number] : value.entries) number = convert(number, value.element, element);
        value.element = element;

        const Format& format = format_of(statement.variable, value, &statement.operands[0]);
        Table old = unassigned(element, value.shape, is_dense(format));
        const auto known = memory_.tensors.find(statement.variable);
        if (known != memory_.tensors.end()) old = known->second;
        if (statement.accumulate && is_scalar) {
            const Number number =
                convert(labelled.table.entries.at({}), labelled.table.element, element);
            value = combine_with_scalar(*statement.accumulate, old,
                                        constant_table(element, {}, number));
        } else if (statement.accumulate) {
            value = combine(*statement.accumulate, Meeting::either, old, value);
        }
        value = stored_as(value, format);
        if (statement.mask) {
            for (const Coordinates& at : mask_places(*statement.mask, statement, sizes)) {
                const auto found = value.entries.find(at);
                if (found == value.entries.end()) old.entries.erase(at);
                else old.entries[at] = found->second;
            }
            value = stored_as(old, format);
        }
        memory_.tensors[statement.variable] = value;
        sizes_.learn(statement.variable, value.shape);
        sizes_.learn(sizes);
    }

    /// A variable without a format gets that of the sparse tensors of its rank in the expression
    /// it is first assigned, if they have one in common that stores no whole blocks.
    const Format& format_of(VariableId id, const Table& assigned,
                            const Expression* expression = nullptr) {
        const Variable& declared = program_.variables[id];
        const auto known = formats_.find(id);
        if (known != formats_.end()) return known->second;
        if (declared.format) return formats_[id] = *declared.format;
        std::vector<Format> sources;
        if (expression != nullptr && !assigned.dense)
            collect(*expression, declared.rank(), sources);
        const bool common = !sources.empty() &&
                            std::all_of(sources.begin(), sources.end(),
                                        [&](const Format& format) { return format == sources[0]; });
        return formats_[id] = common ? sources[0] : inferred_format(assigned);
    }

    void collect(const Expression& expression, int rank, std::vector<Format>& formats) const {
        if (expression.kind == Expression::Kind::access) {
            const auto known = formats_.find(expression.variable);
            const std::optional<Format> format =
                known != formats_.end() ? known->second
                                        : program_.variables[expression.variable].format;
            if (format && static_cast<int>(format->levels.size()) == rank &&
                format->levels.back() != LevelKind::dense) {
                formats.push_back(*format);
            }
        }
        for (const Expression& operand : expression.operands) collect(operand, rank, formats);
    }

    void read(const Statement& statement) {
        const auto input = inputs_.find(statement.input);
        if (input == inputs_.end()) {
            fail(program_, statement.place, ErrorCode::not_found,
                 "no file was given for input " + statement.input);
        }
        const Variable& target = variable(statement);
        const Table table =
            read_table(input->second, target.element, target.rank(), statement.read_mode);
        if (table.rank() != target.rank()) {
            fail(program_, statement.place, ErrorCode::inconsistent,
                 input->second + " is of rank " + std::to_string(table.rank()) + ", and " +
                     target.name + " of rank " + std::to_string(target.rank()));
        }
        for (std::size_t d = 0; d < table.shape.size(); ++d) {
            if (target.shape[d] < 0 || target.shape[d] == table.shape[d]) continue;
            fail(program_, statement.place, ErrorCode::inconsistent,
                 input->second + " does not have the shape of " + target.name);
        }
        memory_.tensors[statement.variable] =
            stored_as(table, format_of(statement.variable, table));
        sizes_.learn(statement.variable, table.shape);
        LabelSizes sizes;
        for (std::size_t d = 0; d < statement.labels.size(); ++d) {
            sizes[statement.labels[d]] = table.shape[d];
        }
        sizes_.learn(sizes);
    }

    /// Other numbers than those of the product: programs can only rely on their range.
    void fill_random(const Statement& statement) {
        Statement assignment = statement;
        assignment.kind = Statement::Kind::assign;
        assignment.operands = {Expression{}};
        assign_tensor(assignment);
        Table& table = memory_.tensors.at(statement.variable);
        const bool dense = table.dense;
        std::mt19937_64 random(++random_fills_);
        table = constant_table(table.element, table.shape, {});
        for (auto& [at, value] : table.entries) {
            const double uniform = std::uniform_real_distribution<double>(0, 1)(random);
            value = is_float(table.element)
                        ? make_number(table.element, uniform)
                        : make_number(table.element, std::int64_t{uniform < 0.5 ? 0 : 1});
        }
        table.dense = dense;
    }

    void print(const Statement& statement) {
        if (!statement.operands.empty()) {
            reference::print(out_, scalar(statement.operands[0]), statement.operands[0].element);
            out_ << '\n';
            return;
        }
        const Variable& shown = variable(statement);
        if (!shown.is_tensor) {
            reference::print(out_, memory_.scalars.at(statement.variable), shown.element);
            out_ << '\n';
            return;
        }
        const auto tensor = memory_.tensors.find(statement.variable);
        if (tensor == memory_.tensors.end()) {
            fail(program_, statement.place, ErrorCode::usage, shown.name + " has no value yet");
        }
        reference::print(out_, tensor->second, format_of(statement.variable, tensor->second),
                         shown.presentation);
    }

    void loop(const Statement& statement) {
        const ElementType type = variable(statement).element;
        const auto bound = [&](std::size_t which) {
            const Expression& expression = statement.operands[which];
            return convert(scalar(expression), expression.element, ElementType::float64).real;
        };
        const double begin = bound(0);
        const double end = bound(1);
        const double step = bound(2);
        if (step == 0) fail(program_, statement.place, ErrorCode::range, "the step is 0");
        for (int round = 0;; ++round) {
            const double value = begin + round * step;
            if (step > 0 ? value >= end : value <= end) {
                if (round == 0) skip(statement);
                return;
            }
            memory_.scalars[statement.variable] = make_number(type, value);
            statements(statement.body);
        }
    }

    /// What a loop that does not run would be the first to assign is empty, or zero: stored as
    /// the loop would have left it.
    void skip(const Statement& loop) {
        std::ostringstream nowhere;
        Run trial(program_, inputs_, nowhere, memory_);
        trial.sizes_.learn(sizes_.all());
        trial.formats_ = formats_;
        trial.memory_.scalars[loop.variable] = {};
        trial.statements(loop.body);
        for (const auto& [id, table] : trial.memory_.tensors) {
            if (memory_.tensors.contains(id)) continue;
            memory_.tensors[id] = unassigned(table.element, table.shape, table.dense);
            formats_[id] = trial.formats_.at(id);
        }
    }

    const Program& program_;
    const Inputs& inputs_;
    std::ostream& out_;
    KnownSizes sizes_;
    Memory memory_;
    std::map<VariableId, Format> formats_;
    std::uint64_t random_fills_ = 0;
};

} // namespace

Memory run(const Program& program, const Inputs& inputs, std::ostream& out, Memory start) {
    return Run(program, inputs, out, std::move(start)).all();
}

} // namespace tropic::reference
