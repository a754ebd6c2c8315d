// Runs one vertex without a machine around it: fills its state field by field, as the engine would.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "machines/tile/codelet.h"

namespace tropic::tile::test {

/// Loads a source text; checked or not.
std::shared_ptr<CodeletLibrary> compile_text(const std::string& source, bool checked = false);

class VertexState {
  public:
    VertexState(std::shared_ptr<CodeletLibrary> library, const std::string& type);

    const VertexType& type() const { return *type_; }
    const Field& field(const std::string& name) const;

    template <class T> VertexState& connect(const std::string& name, std::vector<T>& elements) {
        const Field& to = field(name);
        if (to.shape == FieldShape::span) {
            put(to, SpanField{elements.data(), elements.size() / to.vector_width});
        } else {
            put(to, PointerField{elements.data()});
        }
        return *this;
    }

    /// A connected scalar.
    template <class T> VertexState& connect(const std::string& name, T& element) {
        put(field(name), ScalarField{&element});
        return *this;
    }

    template <class T>
    VertexState& connect(const std::string& name, std::vector<std::vector<T>>& lists) {
        const Field& to = field(name);
        if (to.inner_has_size) {
            auto& inner = spans_.emplace_back(std::make_unique<std::vector<SpanField>>());
            for (auto& list : lists) inner->push_back({list.data(), list.size()});
            put(to, ListField{inner->data(), inner->size()});
        } else {
            auto& inner = pointers_.emplace_back(std::make_unique<std::vector<PointerField>>());
            for (auto& list : lists) inner->push_back({list.data()});
            put(to, ListField{inner->data(), inner->size()});
        }
        return *this;
    }

    template <class T> VertexState& set(const std::string& name, T value) {
        put(field(name), value);
        return *this;
    }

    Cost run(std::uint32_t worker = 0, AccessObserver* observer = nullptr,
             PrintSink* prints = nullptr, std::uint64_t limit = 0);

    /// Notes if compute() returns false.
    void run_telling(bool& returned);

    /// All six workers of a multi vertex; the cost of the slowest.
    Cost run_all();

  private:
    template <class T> void put(const Field& to, const T& value) {
        std::memcpy(bytes() + to.offset, &value, sizeof(value));
    }
    std::byte* bytes() { return reinterpret_cast<std::byte*>(memory_.data()); }

    std::shared_ptr<CodeletLibrary> library_;
    const VertexType* type_;
    std::vector<std::max_align_t> memory_;
    std::vector<std::unique_ptr<std::vector<SpanField>>> spans_;
    std::vector<std::unique_ptr<std::vector<PointerField>>> pointers_;
};

} // namespace tropic::tile::test
