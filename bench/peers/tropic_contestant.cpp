// Tropic: the algorithms of its library as any program calls them. What it derives from a graph
// stays with the graph, so what is not a transpose is forgotten before every run.
#include <map>

#include "contestant.h"
#include "library_calls.h"

namespace tropic::bench {

namespace {

class TropicContestant final : public Contestant {
  public:
    std::string unable(Kernel /*kernel*/, const BenchGraph& /*graph*/) const override { return {}; }

    void load(const BenchGraph& graph) override {
        graph_ = PreparedGraph(*graph.graph);
        graph_.is_symmetric(); // nobody is timed finding that out
        largest_ = graph.largest_weight;
    }

    void use_threads(int threads) override {
        ContextOptions options;
        options.threads = threads;
        context_ = Context(options);
    }

    void run(const Task& task) override {
        auto place = compiled_.find(task.kernel);
        if (place == compiled_.end()) {
            place = compiled_.emplace(task.kernel, library_algorithm(task.kernel, largest_)).first;
        }
        // The order of triangles' vertices is part of that kernel for every contestant.
        if (task.kernel == Kernel::triangles) graph_.forget_derived();
        result_ = place->second.run(library_arguments(task, graph_), context_);
    }

    Answer answer(Kernel kernel) override { return library_answer(kernel, result_); }

  private:
    PreparedGraph graph_;
    std::int64_t largest_ = 0;
    Context context_;
    std::map<Kernel, Algorithm> compiled_;
    AlgorithmResult result_;
};

} // namespace

std::unique_ptr<Contestant> make_tropic() {
    return std::make_unique<TropicContestant>();
}

} // namespace tropic::bench
