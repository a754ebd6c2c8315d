// A whole file in memory without reading it: pages come from the disk when they are touched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tropic {

class MappedFile {
  public:
    /// Throws Error(not_found) or Error(io); only regular files can be mapped. The mapping does not
    /// count against a memory budget: its pages are the system's cache, which it may take back.
    ///
    /// A mapped file must not shrink: touching a page behind the new end raises SIGBUS, which no
    /// library can turn into an error. Tropic's own writers never change a file in place (they
    /// write aside and rename, and the old content lives on while it is mapped); other programs
    /// might.
    static std::shared_ptr<const MappedFile> open(const std::string& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const noexcept { return bytes_; }

    /// Brings the pages of a piece of `bytes()` in at once, which is cheaper than one fault for
    /// every few pages. Does nothing where the system does not know how.
    static void populate(std::string_view piece) noexcept;

  private:
    explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

    std::string_view bytes_;
};

} // namespace tropic
