// What an engine says about its runs, and where it prints.
#include <poplar/Engine.hpp>
#include <poplar/TropicProfile.hpp>

#include "engine_core.h"
#include "report/tile_report.h"

namespace poplar {

namespace tile = tropic::tile;

void Engine::enableExecutionProfiling() {
    impl_->engine->keep_supersteps(true);
    impl_->engine->keep_by_tile(true);
}

void Engine::disableExecutionProfiling() {
    impl_->engine->keep_supersteps(false);
}
void Engine::resetExecutionProfile() {
    impl_->engine->reset_profile();
}

void Engine::printProfileSummary(std::ostream& outputStream, const OptionFlags&) {
    outputStream << tropic::report::text_summary(impl_->engine->profile());
}

Report Engine::getReport(bool) {
    return Report(tropic::report::profile_json(impl_->engine->profile()));
}

void Engine::reportIntervals(std::ostream& outputStream) {
    outputStream << "what,seconds\n";
    for (const tile::HostTime& time : impl_->engine->profile().host_times) {
        outputStream << time.what << ',' << time.seconds << '\n';
    }
}

void Engine::setPrintStream(std::ostream& stream) {
    impl_->print = &stream;
}
void Engine::setPrintTensorStream(std::ostream& stream) {
    impl_->print_tensor = &stream;
}

std::vector<std::string> Engine::listStreams() const {
    std::vector<std::string> names;
    for (const tile::Stream& stream : impl_->graph().streams()) names.push_back(stream.handle);
    return names;
}

std::string tropicProfileJson(const Engine& engine) {
    return tropic::report::profile_json(engine.impl().engine->profile());
}

std::string tropicTrace(const Engine& engine) {
    return tropic::report::chrome_trace(engine.impl().engine->profile());
}

std::string tropicHtmlReport(const Engine& engine) {
    return tropic::report::html_report(engine.impl().engine->profile());
}

std::uint64_t tropicCycles(const Engine& engine) {
    return engine.impl().engine->cycles();
}

} // namespace poplar
