#include "graph/files/wait_ready.h"

#include <cerrno>

#include <poll.h>

namespace tropic {

void wait_ready(int descriptor, short event, const Context& context) {
    constexpr int milliseconds = 100;
    pollfd ready{.fd = descriptor, .events = event, .revents = 0};
    int found = 0;
    do {
        context.check_cancelled();
        found = ::poll(&ready, 1, milliseconds);
    } while (found == 0 || (found < 0 && errno == EINTR));
}

void wait_a_little(const Context& context) {
    constexpr int milliseconds = 20;
    context.check_cancelled();
    ::poll(nullptr, 0, milliseconds);
}

} // namespace tropic
