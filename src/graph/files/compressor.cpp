#include "graph/files/compressor.h"

#include <memory>
#include <new>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "support/letter_case.h"

namespace tropic {

namespace {

struct Suffix {
    std::string_view text;
    Compression compression;
};
constexpr Suffix suffixes[] = {
    {".gz", Compression::gzip}, {".xz", Compression::xz}, {".zst", Compression::zstd}};

std::string gzip(std::string_view bytes) {
    constexpr int level = 6;
    constexpr int gzip_only = 15 + 16;
    // zlib counts in 32 bits.
    constexpr std::size_t most = 1 << 30;
    if (bytes.size() > most) return gzip(bytes.substr(0, most)) + gzip(bytes.substr(most));
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_only, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string xz(std::string_view bytes) {
    // Preset 1 is ten times faster than the usual 6 and loses little on lists of numbers.
    constexpr std::uint32_t preset = 1;
    std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
    std::size_t size = 0;
    const lzma_ret status = lzma_easy_buffer_encode(
        preset, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
        bytes.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
    if (status != LZMA_OK) throw std::bad_alloc();
    out.resize(size);
    return out;
}

std::string zstd(std::string_view bytes) {
    constexpr int level = 3;
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> encoder(ZSTD_createCCtx(),
                                                                       &ZSTD_freeCCtx);
    if (encoder == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(encoder.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(encoder.get(), ZSTD_c_checksumFlag, 1);
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress2(encoder.get(), out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size)) throw std::bad_alloc();
    out.resize(size);
    return out;
}

} // namespace

Compression compression_of(std::string_view path) noexcept {
    for (const Suffix& suffix : suffixes) {
        if (path.size() > suffix.text.size() && has_suffix(path, suffix.text)) {
            return suffix.compression;
        }
    }
    return Compression::none;
}

std::string_view without_compression(std::string_view path) noexcept {
    for (const Suffix& suffix : suffixes) {
        if (compression_of(path) == suffix.compression) {
            return path.substr(0, path.size() - suffix.text.size());
        }
    }
    return path;
}

std::string compress(std::string_view bytes, Compression compression) {
    switch (compression) {
    case Compression::gzip:
        return gzip(bytes);
    case Compression::xz:
        return xz(bytes);
    case Compression::zstd:
        return zstd(bytes);
    case Compression::none:
        break;
    }
    return std::string(bytes);
}

} // namespace tropic
