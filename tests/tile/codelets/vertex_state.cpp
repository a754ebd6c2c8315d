#include "vertex_state.h"

#include <algorithm>
#include <stdexcept>

namespace tropic::tile::test {

std::shared_ptr<CodeletLibrary> compile_text(const std::string& source, bool checked) {
    CodeletOptions options;
    options.source = source;
    options.checked = checked;
    return load_codelets(options);
}

VertexState::VertexState(std::shared_ptr<CodeletLibrary> library, const std::string& type)
    : library_(std::move(library)), type_(library_->find(type)) {
    if (type_ == nullptr) throw std::runtime_error("no vertex " + type);
    memory_.resize(type_->host_bytes / sizeof(std::max_align_t) + 1);
}

const Field& VertexState::field(const std::string& name) const {
    const auto found = std::find_if(type_->fields.begin(), type_->fields.end(),
                                    [&](const Field& field) { return field.name == name; });
    if (found == type_->fields.end()) throw std::runtime_error("no field " + name);
    return *found;
}

Cost VertexState::run(std::uint32_t worker, AccessObserver* observer, PrintSink* prints,
                      std::uint64_t limit) {
    Invocation invocation;
    invocation.state = memory_.data();
    invocation.worker = worker;
    invocation.observer = observer;
    invocation.prints = prints;
    invocation.slot_limit = limit;
    return type_->run(invocation);
}

void VertexState::run_telling(bool& returned) {
    Invocation invocation;
    invocation.state = memory_.data();
    invocation.returned = &returned;
    type_->run(invocation);
}

Cost VertexState::run_all() {
    Cost slowest = 0;
    for (std::uint32_t worker = 0; worker < 6; ++worker) {
        slowest = std::max(slowest, run(worker));
    }
    return slowest;
}

} // namespace tropic::tile::test
