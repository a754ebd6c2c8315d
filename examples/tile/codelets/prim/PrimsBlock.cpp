// The rows one tile owns, as compressed columns: when vertex `current` joins the tree, its column
// may bring rows of ours nearer to the tree. Each row stands in a column at most once, so workers
// never meet in one word.
#include <climits>
#include <cstddef>
#include <poplar/Vertex.hpp>

using namespace poplar;

class PrimsBlock : public MultiVertex {
  public:
    Input<Vector<int>> weights;
    Input<Vector<unsigned>> rows; // counted from row_offset
    Input<Vector<unsigned>> columns;

    Input<unsigned> current; // the vertex that joined the tree last
    unsigned row_offset;

    InOut<Vector<int>> dist;           // weight of the lightest edge to the tree, INT_MAX if none
    InOut<Vector<unsigned>> dist_prev; // its end in the tree; UINT_MAX once a row is in the tree

    auto compute(unsigned workerId) -> bool {
        if (workerId == 0 && *current >= row_offset && *current - row_offset < dist.size()) {
            dist[*current - row_offset] = INT_MAX;
            dist_prev[*current - row_offset] = UINT_MAX;
        }
        for (std::size_t i = columns[*current] + workerId; i < columns[*current + 1];
             i += MultiVertex::numWorkers()) {
            const unsigned row = rows[i];
            if (weights[i] < dist[row] && dist_prev[row] != UINT_MAX) {
                dist[row] = weights[i];
                dist_prev[row] = *current;
            }
        }
        return true;
    }
};
