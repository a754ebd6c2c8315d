// The host's side of a stream, as an object or as a function.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>

namespace poplar {

class StreamCallback {
  public:
    enum class Result { Success, NotAvailable };

    StreamCallback() = default;
    StreamCallback(const StreamCallback&) = default;
    StreamCallback& operator=(const StreamCallback&) = default;
    virtual ~StreamCallback() = default;
    /// Data may be fetched ahead; a stream that cannot is asked by `fetch`.
    virtual Result prefetch(void*) { return Result::NotAvailable; }
    virtual void fetch(void* p) = 0;
    virtual void complete() {}
    virtual void invalidatePrefetched() {}
};

class LegacyStreamCallback : public StreamCallback {
  public:
    Result prefetch(void*) final { return Result::NotAvailable; }
    void invalidatePrefetched() final {}
};

/// What `connectStreamToCallback` accepts: a function of a pointer, or an object.
class StreamCallbackHandle {
  public:
    template <class T>
    StreamCallbackHandle(std::unique_ptr<T> object) : object_(std::move(object)) {}
    StreamCallbackHandle(std::function<void(void*)> f) : function_(std::move(f)) {}
    template <class F,
              class = std::enable_if_t<std::is_invocable_v<F&, void*> &&
                                       !std::is_same_v<std::decay_t<F>, StreamCallbackHandle>>>
    StreamCallbackHandle(F f) : function_(std::move(f)) {}

    void operator()(void* p) const {
        if (object_) {
            if (object_->prefetch(p) != StreamCallback::Result::Success) object_->fetch(p);
            object_->complete();
        } else {
            function_(p);
        }
    }

  private:
    std::shared_ptr<StreamCallback> object_;
    std::function<void(void*)> function_;
};

} // namespace poplar
