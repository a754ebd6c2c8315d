// What stands behind an engine.
#pragma once

#include <iostream>

#include "core.h"

namespace poplar::core {

struct Engine {
    std::shared_ptr<const tile::Executable> executable;
    EngineSettings settings;
    std::unique_ptr<tile::Engine> engine;
    std::ostream* print = &std::cerr;
    std::ostream* print_tensor = &std::cerr;

    const tile::Graph& graph() const { return *executable->graph; }
    ~Engine();
};

} // namespace poplar::core
