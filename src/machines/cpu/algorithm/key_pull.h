// Keys of ordered frontiers that are taken from the other ends of edges, where that is less work
// than offering them there: whoever waits in a bucket has most of a dense graph's edges, and most
// of these are of no use to anybody.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

class KeyPull {
  public:
    /// Both outlive it.
    KeyPull(AlgorithmSession& session, const BucketsView& view);

    /// Whether it is likely to take less time to pull than to push what waits in a bucket, which
    /// nobody has begun with. To find out, some keys are pulled: those that became less are
    /// `changed`, whatever the answer.
    bool pays(std::int64_t bucket, std::span<const ItemList> waiting);

    /// From bucket `first` on, before which everybody has offered everything, only keys are offered
    /// that most of those who wait can be expected to end up with; `run` takes the rest. Does
    /// nothing where that would spare little, or where it is not known that keys can be pulled.
    void limit_offers(std::int64_t first, std::int64_t width);
    /// The first bucket whose keys are not offered, or the largest number. Who has one has to pull.
    std::int64_t limit() const noexcept { return limit_; }

    /// Pulls all keys, again for as long as that takes less time than pushing what became less.
    /// That is `changed` then, and all who wait.
    void run(std::int64_t bucket);

    /// By worker, until the next call.
    std::span<const ItemList> changed() const noexcept { return changed_; }

  private:
    /// What a pull has looked at.
    struct Looked {
        double rows = 0;
        double edges = 0;
        double ends = 0;
    };

    bool possible();
    std::optional<std::int64_t> reach() const;
    void set_limit(std::int64_t limit, std::int64_t offered);
    double push_cost(std::span<const ItemList> waiting) const;
    double pull_cost(const Looked& looked) const;
    std::int64_t row_length(std::int64_t item) const;
    void begin(std::int64_t ahead);
    Looked end();
    /// Pulls a sample of the keys; what all would cost. Costs that are far from little enough are
    /// not worth a large sample.
    double pull_some(std::int64_t bucket, double enough);

    AlgorithmSession& session_;
    const BucketsView& view_;
    std::optional<bool> possible_;
    std::int64_t least_ = 0; ///< of the graph's values
    std::int64_t limit_ = 0;
    std::vector<MemberList> lists_;
    std::vector<ItemList> changed_;
};

} // namespace tropic::cpu
