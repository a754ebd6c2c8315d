#include "language/algorithm/annotate.h"

#include <algorithm>
#include <set>

#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

class Annotator {
  public:
    explicit Annotator(Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() {
        find_reads();
        list(algorithm_.statements, -1);
    }

  private:
    Variable& variable(VariableId id) { return algorithm_.variables[static_cast<std::size_t>(id)]; }

    void find_reads() {
        for (const Statement& s : algorithm_.statements) {
            for_each_expression(s, [&](const Expression& e) {
                if (e.kind == Expression::Kind::variable) read_.insert(e.variable);
            });
        }
    }

    /// `label` is that of the loop around, -1 on the program's level.
    void list(std::vector<Statement>& statements, VariableId label) {
        for (Statement& s : statements) statement(s, label);
    }

    void statement(Statement& s, VariableId label) {
        switch (s.kind) {
        case Statement::Kind::each:
            loop(s, s.each->label, s.each->graph, s.each->inward);
            return each(s);
        case Statement::Kind::buckets:
            if (s.buckets->width) expression(*s.buckets->width, -1);
            return loop(s, s.buckets->label, s.buckets->graph, s.buckets->inward);
        case Statement::Kind::neighbours:
            drop_unread(s.weight);
            drop_unread(s.edge);
            follow(s.graph, s.inward, s.weight, s.edge);
            break;
        case Statement::Kind::marks:
            follow(s.graph, s.inward, -1, -1);
            break;
        default:
            break;
        }
        for (auto* part : {&s.target, &s.first, &s.value, &s.step}) {
            if (*part) expression(**part, label);
        }
        for (Expression& member : s.members) expression(member, label);
        list(s.body, label);
        list(s.otherwise, label);
    }

    /// Vectors that the code of a member writes where somebody else might read or write.
    static std::set<VariableId> find_shared(const Statement& loop, VariableId label) {
        std::set<VariableId> shared;
        const auto write = [&](VariableId id, const Expression& at) {
            const bool own = at.kind == Expression::Kind::variable && at.variable == label;
            if (!own) shared.insert(id);
        };
        for_each_statement(loop.body, [&](const Statement& s) {
            if (s.target) write(s.target->variable, s.target->operands[0]);
        });
        for_each_expression(loop, [&](const Expression& e) {
            const bool writes =
                e.kind == Expression::Kind::swap || e.kind == Expression::Kind::improve;
            if (writes) write(e.variable, e.operands[0]);
        });
        return shared;
    }

    void loop(Statement& s, VariableId label, VariableId& graph, bool& inward) {
        shared_ = find_shared(s, label);
        if (s.buckets) shared_.insert(s.buckets->key);
        list(s.body, label);
        if (s.each && s.each->condition) expression(*s.each->condition, label);
        graph = -1;
        find_edges(s.body, label, graph, inward);
    }

    void each(Statement& s) {
        std::vector<VariableId> inserted;
        std::vector<VariableId> gathered;
        const auto add = [](std::vector<VariableId>& to, VariableId id) {
            if (std::ranges::find(to, id) == to.end()) to.push_back(id);
        };
        for_each_expression(s, [&](const Expression& e) {
            const bool grows = e.kind == Expression::Kind::insert && !variable(e.variable).is_local;
            if (grows) add(inserted, e.variable);
        });
        for_each_statement(s.body, [&](const Statement& inner) {
            if (inner.kind == Statement::Kind::scalar && !variable(inner.variable).is_local) {
                add(gathered, inner.variable);
            }
        });
        s.each->gathered = gathered;
        s.each->grown.clear();
        auto& rebuilt = s.each->rebuilt;
        std::erase_if(rebuilt, [&](VariableId id) {
            return std::ranges::find(inserted, id) == inserted.end();
        });
        for (const VariableId id : inserted) {
            if (std::ranges::find(rebuilt, id) == rebuilt.end()) s.each->grown.push_back(id);
        }
    }

    /// The edges that the code of a member follows from the member itself.
    void find_edges(const std::vector<Statement>& body, VariableId label, VariableId& graph,
                    bool& inward) const {
        const auto from_label = [&](const Expression& e) {
            return e.kind == Expression::Kind::variable && e.variable == label;
        };
        const auto look = [&](VariableId found, bool way) {
            if (graph >= 0) return;
            graph = found;
            inward = way;
        };
        for_each_statement(body, [&](const Statement& s) {
            const bool follows =
                s.kind == Statement::Kind::neighbours || s.kind == Statement::Kind::marks;
            if (follows && from_label(*s.first)) look(s.graph, s.inward);
        });
        for (const Statement& s : body) {
            for_each_expression(s, [&](const Expression& e) {
                if (e.reduction && e.reduction->graph >= 0 && from_label(*e.reduction->center)) {
                    look(e.reduction->graph, e.reduction->inward);
                }
            });
        }
    }

    void drop_unread(VariableId& id) const {
        if (id >= 0 && !read_.contains(id)) id = -1;
    }

    void follow(VariableId graph, bool inward, VariableId weight, VariableId) {
        Variable& used = variable(graph);
        (inward ? used.wants_in : used.wants_out) = true;
        if (weight >= 0 && !used.type.pattern) used.wants_values = true;
    }

    void expression(Expression& root, VariableId label) {
        for_each_expression(root, [&](Expression& e) {
            if (e.kind == Expression::Kind::element || e.kind == Expression::Kind::insert) {
                const Expression& at = e.operands[0];
                const bool mine = at.kind == Expression::Kind::variable && at.variable == label &&
                                  !shared_.contains(e.variable);
                e.own = label >= 0 && (mine || variable(e.variable).is_local);
            }
            if (e.kind == Expression::Kind::degree || e.kind == Expression::Kind::neighbour) {
                Variable& used = variable(e.variable);
                (e.inward ? used.wants_in : used.wants_out) = true;
            }
            if (e.reduction) {
                drop_unread(e.reduction->weight);
                drop_unread(e.reduction->edge);
                if (e.reduction->graph >= 0) {
                    follow(e.reduction->graph, e.reduction->inward, e.reduction->weight,
                           e.reduction->edge);
                }
            }
        });
    }

    Algorithm& algorithm_;
    std::set<VariableId> read_;
    std::set<VariableId> shared_; ///< of the loop around
};

} // namespace

void annotate(Algorithm& algorithm) {
    Annotator(algorithm).run();
}

} // namespace tropic::language::algorithm
