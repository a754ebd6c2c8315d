// Reads an edge list with igraph and prints how long it took: a peer for read_bench.
//   igraph_peer FILE
#include <sys/resource.h>

#include <chrono>
#include <cstdio>

#include <igraph/igraph.h>

int main(int count, char** arguments) {
    if (count != 2) return 2;
    FILE* file = std::fopen(arguments[1], "r");
    if (file == nullptr) return 1;
    const auto start = std::chrono::steady_clock::now();
    igraph_t graph;
    const bool read = igraph_read_graph_edgelist(&graph, file, 0, true) == IGRAPH_SUCCESS;
    std::fclose(file);
    if (!read) return 1;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    std::printf("{\"wall\": %f, \"processor\": %f, \"entries\": %lld}\n", wall.count(),
                seconds(usage.ru_utime) + seconds(usage.ru_stime),
                static_cast<long long>(igraph_ecount(&graph)));
    igraph_destroy(&graph);
}
