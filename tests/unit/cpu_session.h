// Sessions for tests that play the part of compiled code: a session with inputs by name, formats as
// compiled code embeds them, and what was printed.
#pragma once

#include <map>
#include <string>

#include "machines/cpu/session.h"
#include "naive_tensor.h"

namespace tropic::cpu {

/// A format that owns what its view points to.
class TestFormat {
  public:
    explicit TestFormat(const Format& format) {
        for (const LevelKind kind : format.levels) kinds_.push_back(static_cast<std::int8_t>(kind));
        for (const int d : format.order) order_.push_back(static_cast<std::int8_t>(d));
        view_ = {static_cast<std::int64_t>(kinds_.size()), kinds_.data(), order_.data()};
    }
    TestFormat(const TestFormat&) = delete;
    TestFormat& operator=(const TestFormat&) = delete;
    const FormatView* view() const { return &view_; }

  private:
    std::vector<std::int8_t> kinds_;
    std::vector<std::int8_t> order_;
    FormatView view_{};
};

struct TestRun {
    explicit TestRun(bool wide = false, int threads = 1, std::map<std::string, Tensor> inputs = {},
                     ContextOptions limits = {})
        : session([&] {
              limits.threads = threads;
              SessionOptions options{.context = Context(limits), .wide = wide};
              options.file = "program.tropic";
              options.text = "def main() {\n    A[i] = x;\n}\n";
              options.input = [inputs](const std::string& name) -> std::optional<Tensor> {
                  const auto found = inputs.find(name);
                  if (found == inputs.end()) return {};
                  return found->second;
              };
              options.print = [this](std::string_view text) { printed += text; };
              return options;
          }()) {}

    TensorView* read(const char* name, ElementType type, const Format& format, int mode = 1) {
        const std::vector<std::int64_t> any(format.levels.size(), -1);
        const TestFormat view(format);
        return table.read(&session, name, mode, static_cast<std::int64_t>(type), view.view(),
                          any.data(), "line 2, column 5");
    }

    std::string printed;
    const Runtime& table = runtime_table();
    Session session;
};

inline const Tensor& tensor_of(TensorView* view) {
    return stored(view).tensor;
}

/// Entries of a tensor that are not zero, in the order of the dimensions.
inline naive::Entries nonzeros(const Tensor& tensor) {
    naive::Entries kept;
    for (const naive::Entry& entry : naive::entries_of(tensor)) {
        if (entry.value != 0) kept.push_back(entry);
    }
    std::vector<int> order(static_cast<std::size_t>(tensor.rank()));
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int>(d);
    return naive::sorted(kept, order);
}

} // namespace tropic::cpu
