#include <cstdio>

#include <tropic/tropic.h>

int main() {
    const tropic::Graph graph = tropic::read_graph("kron:10");
    std::printf("%lld vertices, %lld entries\n", static_cast<long long>(graph.vertices()),
                static_cast<long long>(graph.entries()));

    // How many edges leave each vertex: a program, compiled here, on the graph in memory.
    tropic::Program program = tropic::Program::from_text(R"(
        def main() {
            IndexLabel [i, j] = [?];
            Tensor<int64> A([i, j], {CSR});
            Tensor<int64> one([j], {Dense});
            Tensor<int64> degree([i], {Dense});
            var loops = SUM(A[i, i]);
            one[j] = 1;
            degree[i] = A[i, j] * one[j];
        })");
    program.bind("A", graph);
    const tropic::RunResult result = program.run();
    long long edges = 0;
    for (const auto degree : result.tensor("degree").values().as<std::int64_t>()) edges += degree;
    std::printf("%lld edges, %g loops\n", edges, result.number("loops"));

    // An algorithm of the library, found where it was installed.
    const tropic::PreparedGraph prepared(graph);
    std::printf("%lld triangles\n", static_cast<long long>(tropic::triangles(prepared).triangles));
    return 0;
}
