// What tells two processors apart for whom different code would be made.
#include <cstdlib>

#include <fmt/format.h>

#ifdef __x86_64__
#include <cpuid.h>
#else
#include <fstream>
#include <sstream>
#endif

#include "machines/cpu/kernel_cache.h"

namespace tropic::cpu {

namespace {

/// The lesser processor that code is compiled for, if one is named.
std::string named_processor() {
    const char* const name = std::getenv("TROPIC_PROCESSOR");
    return name == nullptr ? "" : name;
}

std::string this_processor() {
#ifdef __x86_64__
    // Model and features, and which registers the system saves. The rest of these leaves (which
    // core this is, how many there are) changes from call to call.
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    std::string text = "x86-64";
    if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
        text += fmt::format(" {:x} {:x} {:x}", a, c, d);
        constexpr unsigned saves_registers = 1u << 27;
        if ((c & saves_registers) != 0) {
            unsigned low = 0;
            unsigned high = 0;
            __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
            text += fmt::format(" {:x}", low);
        }
    }
    for (const unsigned subleaf : {0u, 1u}) {
        if (__get_cpuid_count(7, subleaf, &a, &b, &c, &d) != 0) {
            text += fmt::format(" {:x} {:x} {:x} {:x}", a, b, c, d);
        }
    }
    if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) text += fmt::format(" {:x} {:x}", c, d);
    return text;
#else
    // The first processor's block.
    std::ifstream file("/proc/cpuinfo");
    std::ostringstream text;
    for (std::string line; std::getline(file, line) && !line.empty();) {
        if (!line.starts_with("BogoMIPS")) text << line << '\n';
    }
    return text.str();
#endif
}

} // namespace

std::string processor_identity() {
    return this_processor() + ' ' + named_processor();
}

} // namespace tropic::cpu
