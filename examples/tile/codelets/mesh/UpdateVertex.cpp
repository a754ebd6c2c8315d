// One part of the mesh: every node it owns moves towards its neighbours, weighted with the edges
// between them, and every edge it owns becomes the scaled product of its ends. Reads the old
// values, writes the new ones.
//
// Nodes and edges are known by where they lie in this part's own lists; the highest bit tells the
// local list from the foreign one.
#include <poplar/Vertex.hpp>

using namespace poplar;

class UpdateVertex : public Vertex {
  public:
    Input<Vector<float, VectorLayout::ONE_PTR>> localNodes; // node after node, nodeDim values each
    Input<Vector<float, VectorLayout::ONE_PTR>> foreignNodes;
    Input<Vector<float, VectorLayout::ONE_PTR>> localEdges;
    Input<Vector<float, VectorLayout::ONE_PTR>> foreignEdges;
    // For each local node: where its neighbours begin in connectivityMap, and how many they are.
    Input<Vector<unsigned, VectorLayout::ONE_PTR>> connectivityIndex;
    // For each neighbour: the node and the edge to it.
    Input<Vector<unsigned, VectorLayout::ONE_PTR>> connectivityMap;
    // For each local edge: its ends.
    Input<Vector<unsigned, VectorLayout::ONE_PTR>> edgeEnds;
    Output<Vector<float, VectorLayout::ONE_PTR>> updatedLocalNodes;
    Output<Vector<float, VectorLayout::ONE_PTR>> updatedLocalEdges;

    unsigned numLocalNodes;
    unsigned numLocalEdges;
    unsigned nodeDim;

    static constexpr unsigned localBit = 0x80000000U;

    const float* node(unsigned reference) const {
        const unsigned at = (reference & ~localBit) * nodeDim;
        return (reference & localBit) != 0 ? &localNodes[at] : &foreignNodes[at];
    }

    float edge(unsigned reference) const {
        const unsigned at = reference & ~localBit;
        return (reference & localBit) != 0 ? localEdges[at] : foreignEdges[at];
    }

    auto compute() -> bool {
        for (unsigned i = 0; i < numLocalNodes; i++) {
            const unsigned begin = connectivityIndex[2 * i];
            const unsigned count = connectivityIndex[2 * i + 1];
            for (unsigned d = 0; d < nodeDim; d++) {
                updatedLocalNodes[i * nodeDim + d] = 0.8F * localNodes[i * nodeDim + d];
            }
            for (unsigned k = 0; k < count; k++) {
                const float* neighbour = node(connectivityMap[begin + 2 * k]);
                const float weight = 0.2F * edge(connectivityMap[begin + 2 * k + 1]);
                for (unsigned d = 0; d < nodeDim; d++) {
                    updatedLocalNodes[i * nodeDim + d] += neighbour[d] * weight;
                }
            }
        }
        for (unsigned e = 0; e < numLocalEdges; e++) {
            const float* a = node(edgeEnds[2 * e]);
            const float* b = node(edgeEnds[2 * e + 1]);
            float product = 0.0F;
            for (unsigned d = 0; d < nodeDim; d++) {
                product += a[d] * b[d];
            }
            updatedLocalEdges[e] = product / 6.0F;
        }
        return true;
    }
};
