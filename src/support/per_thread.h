// A value for every thread that asks for one: scratch memory that lives as long as a parallel
// phase.
#pragma once

#include <tbb/enumerable_thread_specific.h>

namespace tropic {

template <class T> class PerThread {
  public:
    /// The calling thread's own value, made on first use.
    T& local() { return values_.local(); }

  private:
    tbb::enumerable_thread_specific<T> values_;
};

} // namespace tropic
