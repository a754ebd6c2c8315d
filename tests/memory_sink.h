// A sink that keeps its bytes, for tests of writers.
#pragma once

#include <string>

#include "graph/files/byte_sink.h"

namespace tropic::test {

class MemorySink final : public ByteSink {
  public:
    explicit MemorySink(std::string path) : path_(std::move(path)) {}

    std::string_view path() const override { return path_; }
    void write(std::string_view bytes) override { bytes_.append(bytes); }
    void commit() override { committed_ = true; }

    const std::string& bytes() const { return bytes_; }
    bool committed() const { return committed_; }

  private:
    std::string path_;
    std::string bytes_;
    bool committed_ = false;
};

} // namespace tropic::test
