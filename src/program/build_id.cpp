#include "program/build_id.h"

#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace tropic::program {

using namespace std::string_view_literals;

namespace {

/// Bytes of the file; fewer where it ends.
std::vector<char> bytes_at(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
    std::vector<char> bytes(count);
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return bytes;
}

template <class T> bool take(const std::vector<char>& bytes, std::size_t at, T& value) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return false;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return true;
}

/// Among the notes of a segment.
std::string build_id_in(const std::vector<char>& notes) {
    constexpr std::size_t unit = 4; // names and descriptions begin at multiples of it
    Elf64_Nhdr note{};
    for (std::size_t at = 0; take(notes, at, note);) {
        const std::size_t name = at + sizeof note;
        const std::size_t text = name + (note.n_namesz + unit - 1) / unit * unit;
        if (text > notes.size() || notes.size() - text < note.n_descsz) return {};
        if (note.n_type == NT_GNU_BUILD_ID &&
            std::string_view(notes.data() + name, note.n_namesz) == "GNU\0"sv) {
            std::string digits;
            for (std::size_t i = 0; i < note.n_descsz; ++i) {
                digits += fmt::format("{:02x}", static_cast<unsigned char>(notes[text + i]));
            }
            return digits;
        }
        at = text + (note.n_descsz + unit - 1) / unit * unit;
    }
    return {};
}

} // namespace

std::string build_id_of(const std::string& path) {
    constexpr std::uint64_t longest = 1 << 16; // no size in a file is trusted
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr head{};
    if (!take(bytes_at(file, 0, sizeof head), 0, head) ||
        std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) {
        return {};
    }
    const std::vector<char> segments =
        bytes_at(file, head.e_phoff, std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr));
    Elf64_Phdr segment{};
    for (std::size_t at = 0; take(segments, at, segment); at += sizeof segment) {
        if (segment.p_type != PT_NOTE) continue;
        std::string found =
            build_id_in(bytes_at(file, segment.p_offset, std::min(segment.p_filesz, longest)));
        if (!found.empty()) return found;
    }
    return {};
}

std::string identity_of(const std::string& file) {
    if (std::string id = build_id_of(file); !id.empty()) return id;
    struct stat status{};
    if (stat(file.c_str(), &status) != 0) return "none";
    return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

} // namespace tropic::program
