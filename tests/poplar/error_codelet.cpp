// A codelet that does not compile: the compiler says where.
#include <string>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    check::throws<link_error>([&] { graph.addCodelets("codelets/broken.cpp"); });
    try {
        graph.addCodelets("codelets/broken.cpp");
    } catch (const link_error& error) {
        const std::string text = std::string(error.what()) + error.output;
        check::that(text.find("broken.cpp:8") != std::string::npos, "the line is named: " + text);
        check::that(text.find("undeclared_name") != std::string::npos, "and the name: " + text);
    }
    return check::result();
}
