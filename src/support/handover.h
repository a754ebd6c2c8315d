// What one thread hands over to another through oneTBB, told to the thread sanitizer: it cannot see
// into that library, and would take all that passes through it for races. Nothing in other builds.
#pragma once

#ifdef TROPIC_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* place); // NOLINT(bugprone-reserved-identifier)
extern "C" void __tsan_release(void* place); // NOLINT(bugprone-reserved-identifier)
#endif

namespace tropic {

class Handover {
  public:
    /// All that this thread did comes before what follows a later `take` of any thread.
    void give() noexcept {
#ifdef TROPIC_THREAD_SANITIZER
        __tsan_release(this);
#endif
    }
    void take() noexcept {
#ifdef TROPIC_THREAD_SANITIZER
        __tsan_acquire(this);
#endif
    }
};

/// Takes over at its beginning, and gives at its end, however that comes.
class Handed {
  public:
    Handed(Handover& from, Handover& to) noexcept : to_(to) { from.take(); }
    ~Handed() { to_.give(); }
    Handed(const Handed&) = delete;
    Handed& operator=(const Handed&) = delete;

  private:
    Handover& to_;
};

/// Takes over at its end, however that comes.
class TakenBack {
  public:
    explicit TakenBack(Handover& from) noexcept : from_(from) {}
    ~TakenBack() { from_.take(); }
    TakenBack(const TakenBack&) = delete;
    TakenBack& operator=(const TakenBack&) = delete;

  private:
    Handover& from_;
};

} // namespace tropic
