// Algorithms of the library from C++: a search, ranks, and a check of them by another method.
#include <cstdio>

#include <tropic/tropic.h>

int main() {
    try {
        const tropic::PreparedGraph graph(tropic::read_graph("kron:10"));

        const tropic::BfsResult search = tropic::bfs(graph, {.source = 3});
        int reached = 0;
        for (const std::int32_t level : search.level.as<std::int32_t>()) reached += level >= 0;
        std::printf("%d vertices can be reached\n", reached);

        const tropic::PagerankResult ranks = tropic::pagerank(graph, {.tolerance = 1e-4});
        double sum = 0;
        for (const float rank : ranks.rank.as<float>()) sum += rank;
        std::printf("ranks add up to %.2f\n", sum);

        std::printf("%lld triangles\n", static_cast<long long>(tropic::triangles(graph).triangles));

        const tropic::Verdict verdict = tropic::verify::bfs_levels(graph.graph(), 3, search.level);
        std::printf("%s, by %s\n", verdict.correct() ? "correct" : verdict.complaint.c_str(),
                    verdict.method.c_str());
        return verdict.correct() ? 0 : 1;
    } catch (const tropic::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
