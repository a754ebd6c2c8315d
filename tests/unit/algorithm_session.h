// Sessions for tests that play the part of a compiled algorithm: variables by shape, loops that are
// cut into tiny pieces.
#pragma once

#include <string>
#include <vector>

#include "graph/derived/graph_cache.h"
#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

namespace la = language::algorithm;

/// An algorithm without statements whose variables a test makes up.
class TestAlgorithm {
  public:
    TestAlgorithm() {
        algorithm.file = "test.tropic";
        algorithm.text = "def test() {\n    x[i] = 1;\n}\n";
        algorithm.name = "test";
        algorithm.spaces.emplace_back();
        algorithm.choices = 1;
    }
    int add(la::Type::Shape shape, ElementType element = ElementType::int32) {
        la::Variable variable;
        variable.name = "v" + std::to_string(algorithm.variables.size());
        variable.type.shape = shape;
        variable.type.element = element;
        variable.wants_in = variable.wants_out = variable.wants_values = true;
        algorithm.variables.push_back(std::move(variable));
        return static_cast<int>(algorithm.variables.size()) - 1;
    }

    la::Algorithm algorithm;
};

struct TestSession {
    TestSession(const TestAlgorithm& of, int threads, bool wide = false, ContextOptions limits = {})
        : session(of.algorithm, [&] {
              limits.threads = threads;
              AlgorithmSessionOptions options{.context = Context(limits), .wide = wide};
              options.print = [this](std::string_view text) { printed += text; };
              // Every boundary is met: a chunk has next to no work, no loop is too small.
              options.smallest_loop = 1;
              options.smallest_chunk = 1;
              options.waking = 0;
              return options;
          }()) {}

    Frame* frame() { return &session.frame; }

    std::vector<std::int64_t> members_of(std::int64_t variable) {
        StoredSet& set = set_at(session.frame, variable);
        order_members(session.set_tools(), set);
        std::vector<std::int64_t> list;
        for (std::int64_t at = 0; at < set.count; ++at) {
            list.push_back(session.options.wide ? static_cast<std::int64_t*>(set.list)[at]
                                                : static_cast<std::int32_t*>(set.list)[at]);
        }
        return list;
    }

    std::string printed;
    const AlgorithmRuntime& table = algorithm_runtime_table();
    AlgorithmSession session;
};

} // namespace tropic::cpu
