#include "machines/tile/codelets/runtime/codelet_runtime.h"

#include <cstdarg>
#include <cstdio>

using tropic::tile::Invocation;
using tropic::tile::runtime::StopFunction;
using tropic::tile::runtime::StopReason;
using tropic::tile::runtime::Thread;
using tropic::tile::runtime::VertexDescription;
using tropic::tile::runtime::worker_count;

extern "C" {

// The bounds of this library in memory, which the linker defines.
extern const char image_begin __asm__("__ehdr_start");
extern const char image_end __asm__("_end");

__thread Thread tropic_thread;

/// Set by whoever loads the library.
[[gnu::visibility("default")]] StopFunction tropic_stop = nullptr;

/// A compute() whatever it returns; both signatures below are the same call.
using Compute = void (*)();
using PlainCompute = void (*)(void* state, unsigned worker);
using TruthCompute = bool (*)(void* state, unsigned worker);
}

namespace {

constexpr std::uint64_t default_limit = 10'000'000'000;

void begin(Thread& thread, const Invocation& invocation, const VertexDescription& description,
           const char* stack_end) {
    thread.slots = description.entry_slots;
    thread.limit = invocation.slot_limit == 0 ? default_limit : invocation.slot_limit;
    thread.invocation = &invocation;
    thread.description = &description;
    thread.stack_end = stack_end;
    thread.worker = invocation.worker;
    thread.random_state = 0x9E3779B97F4A7C15U * (invocation.worker + 1);
}

std::uint64_t supervisor_now(const Thread& thread) {
    return thread.slots * thread.description->supervisor_instruction_cycles + thread.waited;
}

/// Stack, descriptors of lists and constants: not the memory of fields. Nor is the state, which is
/// of interest only where several workers share it.
bool is_private(const Thread& thread, const char* address) {
    const char local = 0;
    if (address >= &local && address < thread.stack_end) return true;
    if (address >= &image_begin && address < &image_end) return true;
    const auto* state = static_cast<const char*>(thread.invocation->state);
    if (address >= state && address < state + thread.description->state_bytes) {
        return thread.description->several_workers == 0;
    }
    for (std::uint64_t i = 0; i < thread.description->lists; ++i) {
        const VertexDescription::List& place = thread.description->first_list()[i];
        const auto& list = *reinterpret_cast<const tropic::tile::ListField*>(state + place.offset);
        const auto* first = static_cast<const char*>(list.begin);
        if (address >= first && address < first + list.size * place.descriptor_bytes) return true;
    }
    return false;
}

/// Runs compute(), and tells if it returned false.
void call(Compute compute, const Invocation& invocation, const VertexDescription& description) {
    if (description.returns_truth == 0) {
        reinterpret_cast<PlainCompute>(compute)(invocation.state, invocation.worker);
        return;
    }
    const auto truth = reinterpret_cast<TruthCompute>(compute);
    if (!truth(invocation.state, invocation.worker) && invocation.returned != nullptr) {
        *invocation.returned = false;
    }
}

void print(const char* text, std::size_t size) {
    const Thread& thread = tropic_thread;
    if (thread.invocation->prints == nullptr) return;
    thread.invocation->prints->print(thread.worker, {text, size});
}

} // namespace

extern "C" {

std::uint64_t tropic_run_worker(const Invocation* invocation, Compute compute,
                                const VertexDescription* description) {
    Thread& thread = tropic_thread;
    begin(thread, *invocation, *description, static_cast<const char*>(__builtin_frame_address(0)));
    call(compute, *invocation, *description);
    return thread.slots;
}

std::uint64_t tropic_run_supervisor(const Invocation* invocation, Compute compute,
                                    const VertexDescription* description) {
    Thread& thread = tropic_thread;
    begin(thread, *invocation, *description, static_cast<const char*>(__builtin_frame_address(0)));
    thread.waited = 0;
    for (std::uint64_t& finished : thread.finished) finished = 0;
    call(compute, *invocation, *description);
    std::uint64_t end = supervisor_now(thread);
    for (const std::uint64_t finished : thread.finished) end = finished > end ? finished : end;
    return end;
}

void tropic_supervisor_cycles(std::uint64_t cycles) {
    tropic_thread.waited += cycles;
}

/// Workers run at once, one after the other; what they cost is kept until the next sync.
void tropic_start(std::uint64_t codelet, const Compute* table, std::uint64_t table_size,
                  void* state, std::uint32_t which, std::uint64_t cycles) {
    if (codelet >= table_size || table[codelet] == nullptr) {
        tropic_stop(StopReason::start, 0, nullptr);
        return;
    }
    Thread& thread = tropic_thread;
    thread.waited += cycles;
    const std::uint64_t started = supervisor_now(thread);
    const std::uint64_t own_slots = thread.slots;
    const bool all = which == worker_count;
    for (std::uint32_t worker = all ? 0 : which; worker < (all ? worker_count : which + 1);
         ++worker) {
        thread.slots = 0;
        thread.worker = worker;
        if (thread.invocation->observer != nullptr) {
            thread.invocation->observer->on_worker(static_cast<int>(worker));
        }
        reinterpret_cast<PlainCompute>(table[codelet])(state, worker);
        // A worker that still runs takes up the next task when it has finished.
        const std::uint64_t from =
            thread.finished[worker] > started ? thread.finished[worker] : started;
        thread.finished[worker] = from + thread.slots * worker_count;
    }
    thread.slots = own_slots;
    thread.worker = thread.invocation->worker;
}

void tropic_sync(std::uint64_t cycles) {
    Thread& thread = tropic_thread;
    const std::uint64_t now = supervisor_now(thread);
    std::uint64_t end = now;
    for (const std::uint64_t finished : thread.finished) end = finished > end ? finished : end;
    thread.waited += end - now + cycles;
    if (thread.invocation->observer != nullptr) thread.invocation->observer->on_worker(-1);
}

void tropic_on_load(const void* address, std::uint32_t bytes, std::uint32_t line) {
    const Thread& thread = tropic_thread;
    if (thread.invocation->observer == nullptr) return;
    if (is_private(thread, static_cast<const char*>(address))) return;
    thread.invocation->observer->on_load(address, bytes, line);
}

void tropic_on_store(const void* address, std::uint32_t bytes, std::uint32_t line) {
    const Thread& thread = tropic_thread;
    if (thread.invocation->observer == nullptr) return;
    if (is_private(thread, static_cast<const char*>(address))) return;
    thread.invocation->observer->on_store(address, bytes, line);
}

void tropic_stop_endless(std::uint32_t line) {
    tropic_stop(StopReason::endless, line, nullptr);
}

void tropic_stop_division(std::uint32_t line) {
    tropic_stop(StopReason::division, line, nullptr);
}

void tropic_stop_trap(std::uint32_t line) {
    tropic_stop(StopReason::trap, line, nullptr);
}

// What codelets know by names that the host's library has too: these are theirs.
[[noreturn]] void codelet_assert_fail(const char* assertion, const char*, unsigned line,
                                      const char*) __asm__("__assert_fail");
[[noreturn]] void codelet_abort() __asm__("abort");
int codelet_printf(const char* format, ...) __asm__("printf");
int codelet_puts(const char* text) __asm__("puts");
int codelet_putchar(int character) __asm__("putchar");

void codelet_assert_fail(const char* assertion, const char*, unsigned line, const char*) {
    tropic_stop(StopReason::assertion, line, assertion);
    __builtin_unreachable();
}

void codelet_abort() {
    tropic_stop(StopReason::trap, 0, nullptr);
    __builtin_unreachable();
}

int codelet_printf(const char* format, ...) {
    char text[1024];
    std::va_list arguments;
    va_start(arguments, format);
    const int size = std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (size > 0) {
        const auto length = static_cast<std::size_t>(size);
        print(text, length < sizeof(text) ? length : sizeof(text) - 1);
    }
    return size;
}

int codelet_puts(const char* text) {
    print(text, __builtin_strlen(text));
    print("\n", 1);
    return 1;
}

int codelet_putchar(int character) {
    const char text = static_cast<char>(character);
    print(&text, 1);
    return character;
}
}
