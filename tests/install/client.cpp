#include <cstdio>

#include <tropic/tropic.h>

int main() {
    const tropic::Graph graph = tropic::read_graph("kron:10");
    std::printf("%lld vertices, %lld entries\n", static_cast<long long>(graph.vertices()),
                static_cast<long long>(graph.entries()));
    return 0;
}
