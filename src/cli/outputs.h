// The files that a command is asked to write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tropic/context.h"

namespace tropic::cli {

struct OutputFile {
    std::string option; ///< what asks for it: "--map"
    std::string path;   ///< empty: it is not asked for
};

bool is_standard_output(std::string_view path);

/// Refuses, before there is anything to write, two files on one path, of which only the later would
/// be left, a file on standard output beside a report in JSON, and what cannot be made: in a folder
/// that is missing or not to be written to.
void check_outputs(const std::vector<OutputFile>& files, bool json, const Context& context);

/// Refuses to write results over a file that they are made from: a wrong name would cost the graph.
void require_not_read(const std::vector<OutputFile>& files, const std::vector<std::string>& inputs);

/// Refuses a file whose suffix names no format that graphs are written in, before there is a graph;
/// `what` is to be written, `also` are other suffixes that it may have, `hint` is an example.
void require_graph_form(const std::string& file, std::string_view what, std::string_view also,
                        std::string hint);

} // namespace tropic::cli
