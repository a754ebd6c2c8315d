// Feeds bytes to the reader of GAP's serialized graphs.
#include "cpu_limit.h"
#include "fuzz.h"
#include "graph/files/binary.h"
#include "tropic/error.h"
#include "walk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    using namespace tropic;
    const Context& context = fuzz::small_context();
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    is_gap_serialized(bytes, size);
    // The readers check indices even unverified; verifying adds the other half of the file.
    for (const bool verify : {false, true}) {
        for (const char* name : {"fuzz.sg", "fuzz.wsg"}) {
            try {
                const FileContent content =
                    read_gap_serialized_from_memory(bytes, name, {.verify = verify}, context);
                content.tensor->check(context);
                volatile double sum = fuzz::walk(content);
                (void)sum;
            } catch (const Error& error) {
                // What was read must be sound: `check` has nothing to complain about.
                if (error.diagnostic().file.empty() && error.code() == ErrorCode::corrupt) {
                    __builtin_trap();
                }
            }
        }
    }
    return 0;
}
