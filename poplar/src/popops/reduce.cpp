// Reductions. Many outputs of few elements each are spread over all tiles, each of which fetches
// what its outputs need. Few outputs of many elements are reduced where the elements are, then in
// groups, then where the output is.
#include <popops/Reduce.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <popops/AllTrue.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "popops/compute_sets.h"
#include "popops/reduce_vertices.h"

namespace popops {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::Type;
using poputil::poplibs_error;

std::ostream& operator<<(std::ostream& os, const Operation& op) {
    constexpr const char* names[] = {"ADD",         "MUL",        "MIN",        "MAX",
                                     "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOG_ADD"};
    return os << names[static_cast<int>(op)];
}

namespace {

/// As many elements as are worth reducing by one vertex, and as a tile fetches for one output.
constexpr std::size_t longest_fetch = 64;

struct Job {
    Tensor in;  ///< [elements of one output][output]
    Tensor out; ///< [output]
    Operation op = Operation::ADD;

    std::size_t rows() const { return in.dim(0); }
    std::size_t outputs() const { return in.dim(1); }
};

/// Reduced dimensions first, then the others, each as one.
Job make_job(const Tensor& in, const std::vector<std::size_t>& dims, Operation op) {
    std::vector<bool> reduced(in.rank(), false);
    std::vector<unsigned> order;
    std::size_t rows = 1;
    for (const std::size_t d : dims) {
        if (d >= in.rank() || reduced[d]) {
            throw poplibs_error("a reduction over dimension " + std::to_string(d) +
                                " of a tensor of rank " + std::to_string(in.rank()) +
                                (d < in.rank() ? ", named twice" : ""));
        }
        reduced[d] = true;
        order.push_back(static_cast<unsigned>(d));
        rows *= in.dim(static_cast<unsigned>(d));
    }
    for (unsigned d = 0; d < in.rank(); ++d) {
        if (!reduced[d]) order.push_back(d);
    }
    if (rows == 0) throw poplibs_error("a reduction over no elements");
    return {in.dimShuffle(order).reshape({rows, in.numElements() / rows}), {}, op};
}

std::vector<std::size_t> output_shape(const Tensor& in, const std::vector<std::size_t>& dims) {
    std::vector<std::size_t> shape;
    for (std::size_t d = 0; d < in.rank(); ++d) {
        if (std::find(dims.begin(), dims.end(), d) == dims.end()) {
            shape.push_back(in.dim(static_cast<unsigned>(d)));
        }
    }
    return shape;
}

class Reducer {
  public:
    Reducer(Graph& graph, std::vector<ComputeSet>& sets, std::string name)
        : graph_(graph), sets_(sets), name_(std::move(name)) {}

    /// All jobs at once: their stages share compute sets.
    void run(const std::vector<Job>& jobs) {
        if (can_spread(jobs)) return spread(jobs);
        for (const Job& job : jobs) {
            for (std::size_t o = 0; o < job.outputs(); ++o) {
                tree(job.in.slice(o, o + 1, 1).flatten(), job.out[o], job.op);
            }
        }
    }

    ComputeSet stage(std::size_t s) {
        while (sets_.size() <= s) {
            sets_.push_back(graph_.addComputeSet(name_ + "/stage" + std::to_string(sets_.size())));
        }
        return sets_[s];
    }

  private:
    static bool can_spread(const std::vector<Job>& jobs) {
        std::size_t outputs = 0;
        for (const Job& job : jobs) {
            outputs += job.outputs();
            if (job.rows() != jobs[0].rows() || job.rows() > longest_fetch ||
                job.op != jobs[0].op || job.in.elementType() != jobs[0].in.elementType() ||
                job.out.elementType() != jobs[0].out.elementType()) {
                return false;
            }
        }
        return outputs > 1;
    }

    /// Consecutive outputs, as many on each tile as fill whole 64-bit words.
    void spread(const std::vector<Job>& jobs) {
        const poplar::Target& target = graph_.getTarget();
        std::size_t outputs = 0;
        for (const Job& job : jobs) outputs += job.outputs();
        const Type from = jobs[0].in.elementType();
        const std::size_t grain = std::max(1U, 8 / target.getTypeSize(from));
        const std::size_t share =
            poputil::roundUp(poputil::ceilDiv(outputs, std::size_t{target.getNumTiles()}), grain);
        const std::string type = column_vertex(graph_, jobs[0].op, from, jobs[0].out.elementType());
        ComputeSet cs = stage(0);
        std::size_t job = 0;
        std::size_t begin = 0; // in that job
        for (unsigned tile = 0; job < jobs.size(); ++tile) {
            std::vector<Tensor> ins;
            std::vector<Tensor> outs;
            for (std::size_t room = share; room > 0 && job < jobs.size();) {
                const std::size_t end = std::min(jobs[job].outputs(), begin + room);
                ins.push_back(jobs[job].in.slice(begin, end, 1));
                outs.push_back(jobs[job].out.slice(begin, end));
                room -= end - begin;
                begin = end;
                if (begin == jobs[job].outputs()) {
                    ++job;
                    begin = 0;
                }
            }
            const poplar::VertexRef vertex = graph_.addVertex(
                cs, type,
                {{"in", poplar::concat(ins, 1).flatten()}, {"out", poplar::concat(outs)}});
            graph_.setInitialValue(vertex["rows"], static_cast<unsigned>(jobs[0].rows()));
            graph_.setTileMapping(vertex, tile);
        }
    }

    /// One output: elements of one tile are reduced there, then groups of what is left.
    void tree(const Tensor& in, const Tensor& out, Operation op) {
        std::vector<Tensor> parts; // each on one tile
        std::vector<unsigned> tiles;
        const auto mapping = graph_.getTileMapping(in);
        std::size_t longest = 0;
        for (unsigned tile = 0; tile < mapping.size(); ++tile) {
            if (mapping[tile].empty()) continue;
            parts.push_back(poplar::concat(in.slices(mapping[tile])));
            tiles.push_back(tile);
            longest = std::max(longest, parts.back().numElements());
        }
        if (parts.empty()) throw poplibs_error("a tensor that is on no tile cannot be reduced");
        std::size_t next = 0;
        const Type type = in.elementType();
        if (parts.size() > 1 && longest > 1) {
            reduce_each(parts, tiles, op, type, next++);
            if (op == Operation::SQUARE_ADD) op = Operation::ADD;
        }
        while (parts.size() > longest_fetch) {
            const auto size =
                static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(parts.size()))));
            std::vector<Tensor> groups;
            std::vector<unsigned> group_tiles;
            for (std::size_t p = 0; p < parts.size(); p += size) {
                const auto last = std::min(parts.size(), p + size);
                groups.push_back(poplar::concat(
                    std::vector<Tensor>(parts.begin() + static_cast<std::ptrdiff_t>(p),
                                        parts.begin() + static_cast<std::ptrdiff_t>(last))));
                group_tiles.push_back(tiles[p]);
            }
            parts = std::move(groups);
            tiles = std::move(group_tiles);
            reduce_each(parts, tiles, op, type, next++);
            if (op == Operation::SQUARE_ADD) op = Operation::ADD;
        }
        const auto where = graph_.getTileMapping(out);
        const auto found = std::find_if(where.begin(), where.end(),
                                        [](const auto& regions) { return !regions.empty(); });
        add(poplar::concat(parts), out, op, static_cast<unsigned>(found - where.begin()), next);
    }

    /// Replaces each part by its result, on the same tile.
    void reduce_each(std::vector<Tensor>& parts, const std::vector<unsigned>& tiles, Operation op,
                     const Type& type, std::size_t s) {
        const Tensor results = graph_.addVariable(type, {parts.size()}, name_ + "/partials");
        for (std::size_t p = 0; p < parts.size(); ++p) {
            graph_.setTileMapping(results[p], tiles[p]);
            add(parts[p], results[p], op, tiles[p], s);
            parts[p] = results.slice(p, p + 1);
        }
    }

    void add(const Tensor& in, const Tensor& out, Operation op, unsigned tile, std::size_t s) {
        const std::string type = vector_vertex(graph_, op, in.elementType(), out.elementType());
        graph_.setTileMapping(graph_.addVertex(stage(s), type, {{"in", in}, {"out", out}}), tile);
    }

    Graph& graph_;
    std::vector<ComputeSet>& sets_;
    std::string name_;
};

Tensor make_output(Graph& graph, const Type& type, const std::vector<std::size_t>& shape,
                   const std::string& name) {
    const Tensor out = graph.addVariable(type, shape, name);
    poputil::mapTensorLinearly(graph, out);
    return out;
}

std::string name_of(const poplar::DebugContext& debugContext) {
    const std::string name = debugContext.getPathName();
    return name.empty() ? "reduce" : name;
}

/// Scaling and adding to what is there come last.
void finish(Graph& graph, const ReduceParams& params, const Tensor& result, const Tensor& out,
            ComputeSet cs) {
    using namespace expr;
    if (params.useScale) {
        const Tensor scale = params.scale.flatten();
        if (params.update) add_map(graph, _1 + _2 * _3, {out, result, scale}, out, cs);
        else add_map(graph, _1 * _2, {result, scale}, out, cs);
    } else {
        add_map(graph, _1 + _2, {out, result}, out, cs);
    }
}

struct Request {
    SingleReduceOp reduction;
    Tensor out;
};

void reduce_all(Graph& graph, const std::vector<Request>& requests, std::vector<ComputeSet>& sets,
                const std::string& name) {
    std::vector<Job> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> unfinished; // request and job
    jobs.reserve(requests.size());
    for (std::size_t r = 0; r < requests.size(); ++r) {
        const SingleReduceOp& reduction = requests[r].reduction;
        Job job = make_job(reduction.in, reduction.dims, reduction.params.op);
        if (requests[r].out.numElements() != job.outputs()) {
            throw poplibs_error("the output of a reduction to " + std::to_string(job.outputs()) +
                                " elements has " + std::to_string(requests[r].out.numElements()));
        }
        if (job.outputs() == 0) continue;
        job.out = requests[r].out.flatten();
        if (reduction.params.update || reduction.params.useScale) {
            unfinished.emplace_back(r, jobs.size());
            job.out = graph.clone(requests[r].out, name + "/result").flatten();
        }
        jobs.push_back(std::move(job));
    }
    if (jobs.empty()) return;
    Reducer reducer(graph, sets, name);
    reducer.run(jobs);
    if (unfinished.empty()) return;
    ComputeSet last = graph.addComputeSet(name + "/finish");
    for (const auto& [r, j] : unfinished) {
        finish(graph, requests[r].reduction.params, jobs[j].out, requests[r].out.flatten(), last);
    }
    sets.push_back(last);
}

void map_if_unmapped(Graph& graph, const Tensor& out) {
    bool complete = true;
    graph.getTileMapping(out, &complete);
    if (!complete) poputil::mapTensorLinearly(graph, out);
}

} // namespace

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<ComputeSet>& css, const poplar::DebugContext& debugContext,
                      const poplar::OptionFlags&) {
    map_if_unmapped(graph, out);
    std::vector<ComputeSet> own;
    reduce_all(graph, {{SingleReduceOp(in, dims, std::move(params), out.elementType()), out}}, own,
               name_of(debugContext));
    css.insert(css.end(), own.begin(), own.end());
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
                      const poplar::OptionFlags& options) {
    std::vector<ComputeSet> css;
    reduceWithOutput(graph, in, out, dims, std::move(params), css, debugContext, options);
    for (const ComputeSet& cs : css) prog.add(poplar::program::Execute(cs));
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType,
              const std::vector<std::size_t>& dims, ReduceParams params,
              std::vector<ComputeSet>& css, const poplar::DebugContext& debugContext,
              const poplar::OptionFlags& options) {
    if (params.update) throw poplibs_error("a reduction into a new tensor cannot update it");
    const Tensor out =
        make_output(graph, outType, output_shape(in, dims), name_of(debugContext) + "/out");
    reduceWithOutput(graph, in, out, dims, std::move(params), css, debugContext, options);
    return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const std::vector<std::size_t>& dims,
              ReduceParams params, std::vector<ComputeSet>& css,
              const poplar::DebugContext& debugContext, const poplar::OptionFlags& options) {
    return reduce(graph, in, in.elementType(), dims, std::move(params), css, debugContext, options);
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType,
              const std::vector<std::size_t>& dims, ReduceParams params,
              poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
              const poplar::OptionFlags& options) {
    std::vector<ComputeSet> css;
    const Tensor out =
        reduce(graph, in, outType, dims, std::move(params), css, debugContext, options);
    for (const ComputeSet& cs : css) prog.add(poplar::program::Execute(cs));
    return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const std::vector<std::size_t>& dims,
              ReduceParams params, poplar::program::Sequence& prog,
              const poplar::DebugContext& debugContext, const poplar::OptionFlags& options) {
    return reduce(graph, in, in.elementType(), dims, std::move(params), prog, debugContext,
                  options);
}

void reduceMany(Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<Tensor>& outputs, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext, const poplar::OptionFlags&) {
    const std::string name = name_of(debugContext);
    if (outputs.empty()) {
        for (const SingleReduceOp& reduction : reductions) {
            if (reduction.params.update) {
                throw poplibs_error("a reduction into a new tensor cannot update it");
            }
            outputs.push_back(make_output(graph, reduction.outType,
                                          output_shape(reduction.in, reduction.dims),
                                          name + "/out"));
        }
    }
    if (outputs.size() != reductions.size()) {
        throw poplibs_error(std::to_string(reductions.size()) + " reductions, but " +
                            std::to_string(outputs.size()) + " outputs");
    }
    std::vector<Request> requests;
    requests.reserve(reductions.size());
    for (std::size_t r = 0; r < reductions.size(); ++r) {
        requests.push_back({reductions[r], outputs[r]});
    }
    std::vector<ComputeSet> css;
    reduce_all(graph, requests, css, name);
    for (const ComputeSet& cs : css) prog.add(poplar::program::Execute(cs));
}

Tensor allTrue(Graph& graph, Tensor A, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext) {
    if (A.elementType() != poplar::BOOL) {
        throw poplibs_error("allTrue of a tensor of another type than BOOL");
    }
    const std::string name = debugContext.getPathName();
    return reduce(graph, A.flatten(), {0}, Operation::LOGICAL_AND, prog,
                  {name.empty() ? std::string("allTrue") : name});
}

} // namespace popops
