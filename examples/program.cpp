// A program from C++: compiled from its text, run on a graph and a vector that stay where they are,
// and run again when the vector has changed.
#include <cstdio>
#include <vector>

#include <tropic/tropic.h>

int main() {
    try {
        tropic::Program program = tropic::Program::from_text(R"(
            def main() {
                IndexLabel [i, j] = [?];
                Tensor<double> A([i, j], {CSR});
                Tensor<double> x([j], {Dense});
                Tensor<double> y([i], {Dense});
                y[i] = A[i, j] * x[j];
                var total = SUM(y[i]);
            })",
                                                             {.outputs = {"y", "total"}});
        const tropic::Graph graph = tropic::read_graph("kron:10");
        std::vector<double> x(static_cast<std::size_t>(graph.vertices()), 1.0);
        program.bind("A", graph);
        // A dense vector: one level without arrays, and values in the caller's memory.
        program.bind("x", tropic::Tensor({graph.vertices()}, tropic::Format::dense_vector(),
                                         std::vector<tropic::Level>(1),
                                         tropic::Array::borrow(tropic::ElementType::float64,
                                                               x.data(), graph.vertices()),
                                         true, true));

        tropic::RunResult result = program.run();
        std::printf("%g entries, %g of them in row 3\n", result.number("total"),
                    result.tensor("y").values().as<double>()[3]);

        x[3] = 0.5;
        result = program.run();
        std::printf("%g with one vertex that counts half\n", result.number("total"));
        return 0;
    } catch (const tropic::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
