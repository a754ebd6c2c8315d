#include "tropic/array.h"

#include <cmath>
#include <cstring>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <sys/mman.h>

#include "graph/storage/named_cast.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = 2u << 20;

/// Arrays from here on are mapped: their pages can be given back one by one, and huge pages make
/// random access into them up to 1.5 times cheaper.
constexpr std::size_t mapped_from_bytes = 1u << 20;

/// Readable bytes behind the last element: compiled code loads ahead.
constexpr std::size_t margin = 64;

/// Memory of an array: an anonymous mapping or a piece of the heap, charged to a budget.
class Block {
  public:
    Block(std::size_t bytes, const Context& context, std::string_view purpose)
        : bytes_(bytes), budget_(context.budget()) {
        budget_->charge(bytes_, purpose);
        if (bytes_ >= mapped_from_bytes) map();
        else data_ = std::malloc(bytes_ + margin);
        if (data_ == nullptr) {
            budget_->release(bytes_);
            throw Error(
                ErrorCode::out_of_memory,
                fmt::format("the system has no {} left for {}", bytes_text(bytes_), purpose),
                "set a limit with --memory, or work on a smaller graph");
        }
    }
    ~Block() {
        if (mapping_ != nullptr) budget_->pool().give({mapping_, mapped_, data_});
        else std::free(data_);
        budget_->release(bytes_);
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    void* data() const noexcept { return data_; }

    /// Fresh mappings are zero; others are as they were left.
    bool is_zero() const noexcept { return fresh_; }

    /// Gives back whole pages behind the first `bytes`.
    void shrink(std::size_t bytes) noexcept {
        if (mapping_ == nullptr || bytes >= bytes_) return;
        const std::size_t keep =
            (offset() + bytes + margin + page_bytes - 1) / page_bytes * page_bytes;
        if (keep >= mapped_) return;
        munmap(static_cast<char*>(mapping_) + keep, mapped_ - keep);
        mapped_ = std::max(keep, page_bytes);
        budget_->release(bytes_ - bytes);
        bytes_ = bytes;
    }

  private:
    std::size_t offset() const noexcept {
        return static_cast<std::size_t>(static_cast<char*>(data_) - static_cast<char*>(mapping_));
    }

    /// Over-maps by one huge page so that the data can start on a huge page boundary.
    void map() {
        if (const auto kept =
                budget_->pool().take(bytes_ + margin, bytes_ + bytes_ / 4 + huge_page_bytes);
            kept.mapping != nullptr) {
            mapping_ = kept.mapping;
            mapped_ = kept.mapped;
            data_ = kept.data;
            return;
        }
        // A last huge page that is at least half full is one as well.
        const std::size_t last = bytes_ % huge_page_bytes;
        const std::size_t huge =
            last < huge_page_bytes / 2 ? bytes_ : bytes_ - last + huge_page_bytes;
        mapped_ = (huge + huge_page_bytes + page_bytes - 1) / page_bytes * page_bytes;
        void* mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapping == MAP_FAILED) return;
        mapping_ = mapping;
        const auto address = reinterpret_cast<std::uintptr_t>(mapping);
        data_ = reinterpret_cast<void*>((address + huge_page_bytes - 1) / huge_page_bytes *
                                        huge_page_bytes);
        // What the boundary did not need goes back: the pool finds blocks by what they hold, and
        // one that holds far more than was asked for would not be found again.
        const std::size_t needed =
            offset() + (std::max(huge, bytes_ + margin) + page_bytes - 1) / page_bytes * page_bytes;
        if (needed < mapped_) {
            munmap(static_cast<char*>(mapping) + needed, mapped_ - needed);
            mapped_ = needed;
        }
        madvise(data_, huge, MADV_HUGEPAGE);
        fresh_ = true;
    }

    void* data_ = nullptr;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::size_t bytes_;
    bool fresh_ = false;
    std::shared_ptr<MemoryBudget> budget_;
};

std::size_t bytes_for(ElementType type, Index size, std::string_view purpose) {
    std::size_t bytes = 0;
    if (size < 0 || __builtin_mul_overflow(static_cast<std::size_t>(size), size_of(type), &bytes) ||
        bytes > (std::size_t{1} << 62)) {
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("{} of {} elements of {} is more than any machine can address",
                                purpose, size, name_of(type)),
                    "check the sizes in the file or expression");
    }
    return bytes;
}

} // namespace

Array Array::allocate(ElementType type, Index size, const Context& context,
                      std::string_view purpose) {
    Array array;
    array.type_ = type;
    array.size_ = size;
    const std::size_t bytes = bytes_for(type, size, purpose);
    if (bytes > 0) {
        auto block = std::make_shared<Block>(bytes, context, purpose);
        array.data_ = block->data();
        array.owner_ = std::move(block);
    }
    return array;
}

Array Array::zeros(ElementType type, Index size, const Context& context, std::string_view purpose) {
    Array array = allocate(type, size, context, purpose);
    if (array.bytes() == 0 || static_cast<const Block*>(array.owner_.get())->is_zero())
        return array;
    auto* const bytes = static_cast<std::byte*>(array.mutable_data());
    parallel_ranges(context, static_cast<Index>(array.bytes()), mapped_from_bytes,
                    [&](Index begin, Index end) {
                        std::memset(bytes + begin, 0, static_cast<std::size_t>(end - begin));
                    });
    return array;
}

Array Array::borrow(ElementType type, const void* data, Index size,
                    std::shared_ptr<const void> owner) {
    Array array;
    array.type_ = type;
    array.size_ = size;
    array.data_ = data;
    array.owner_ = std::move(owner);
    array.read_only_ = true;
    return array;
}

void Array::fail_type(ElementType wanted) const {
    throw Error(ErrorCode::inconsistent,
                fmt::format("an array of {} is read as one of {}", name_of(type_), name_of(wanted)),
                "Array::type() says what it holds; cast() converts it");
}

Index Array::index_at(Index i) const noexcept {
    const auto at = static_cast<std::size_t>(i);
    return type_ == ElementType::int32 ? as<std::int32_t>()[at] : as<std::int64_t>()[at];
}

double Array::value_at(Index i) const noexcept {
    if (type_ == ElementType::pattern) return 1;
    return visit_type(type_, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return static_cast<double>(as<T>()[i]);
    });
}

void Array::shrink(Index size) {
    assert(size <= size_ && !read_only_);
    if (owner_) {
        auto* block = static_cast<Block*>(const_cast<void*>(owner_.get()));
        block->shrink(static_cast<std::size_t>(size) * size_of(type_));
    }
    size_ = size;
}

namespace {

/// Whether `value` can become a `To` without changing more than rounding.
template <class To, class From> bool fits(From value) {
    if constexpr (std::is_same_v<To, bool>) {
        return value == From{0} || value == From{1};
    } else if constexpr (std::is_floating_point_v<To>) {
        if constexpr (sizeof(To) < sizeof(From) && std::is_floating_point_v<From>) {
            return !std::isfinite(value) ||
                   std::abs(value) <= static_cast<From>(std::numeric_limits<To>::max());
        }
        return true;
    } else if constexpr (std::is_floating_point_v<From>) {
        // 2^digits is exact in floating point, the largest integer itself may not be.
        const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
        const From below = std::is_signed_v<To> ? -above : From{0};
        return value >= below && value < above && value == std::trunc(value);
    } else if constexpr (std::is_same_v<From, bool>) {
        return true;
    } else {
        return std::in_range<To>(value);
    }
}

} // namespace

Array cast(const Array& array, ElementType type, const Context& context) {
    return cast(array, type, context, [](Index entry) { return fmt::format("entry {}", entry); });
}

Array cast(const Array& array, ElementType type, const Context& context,
           const std::function<std::string(Index)>& name) {
    if (array.type() == type) return array;
    Array result = Array::allocate(type, array.size(), context, "converted values");
    if (type == ElementType::pattern) return result;
    constexpr Index grain = 1 << 16;
    visit_type(type, [&](auto to_tag) {
        using To = typename decltype(to_tag)::type;
        auto to = result.mutable_as<To>();
        if (array.type() == ElementType::pattern) {
            parallel_ranges(context, array.size(), grain, [&](Index begin, Index end) {
                std::fill(to.begin() + begin, to.begin() + end, static_cast<To>(1));
            });
            return;
        }
        visit_type(array.type(), [&](auto from_tag) {
            using From = typename decltype(from_tag)::type;
            auto from = array.as<From>();
            const Index misfit = parallel_combine(
                context, array.size(), grain, Index{-1},
                [&](Index begin, Index end) {
                    for (Index i = begin; i < end; ++i) {
                        const From value = from[i];
                        if (!fits<To>(value)) return i;
                        to[i] = static_cast<To>(value);
                    }
                    return Index{-1};
                },
                [](Index a, Index b) { return a >= 0 ? a : b; });
            if (misfit >= 0) {
                throw Error(ErrorCode::range,
                            fmt::format("value {} of {} does not fit {}", from[misfit],
                                        name(misfit), name_of(type)),
                            "choose a wider type, such as float64");
            }
        });
    });
    return result;
}

} // namespace tropic
