// Runs a program by the reference evaluator: tropic_reference PROGRAM -i 0=FILE -i 1=FILE...
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>

#include "language/check.h"
#include "reference/run.h"

namespace {

using tropic::Error;
using tropic::ErrorCode;

struct Arguments {
    std::string program;
    tropic::reference::Inputs inputs;
};

Arguments parse(int count, char** words) {
    Arguments arguments;
    for (int w = 1; w < count; ++w) {
        const std::string word = words[w];
        if (word != "-i") {
            arguments.program = word;
            continue;
        }
        const std::string input = ++w < count ? words[w] : "";
        const std::size_t equals = input.find('=');
        if (equals == std::string::npos) {
            throw Error(ErrorCode::usage, "-i wants NAME=FILE, and got '" + input + "'");
        }
        arguments.inputs[input.substr(0, equals)] = input.substr(equals + 1);
    }
    if (arguments.program.empty()) {
        throw Error(ErrorCode::usage, "which program?", "tropic_reference PROGRAM -i 0=FILE");
    }
    // As the programs of the source language name their inputs.
    for (int k = 0; k < 10; ++k) {
        const std::string name = std::to_string(k);
        const char* file = std::getenv(("SPARSE_FILE_NAME" + name).c_str());
        if (file != nullptr) arguments.inputs.emplace(name, file);
    }
    return arguments;
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw Error(ErrorCode::not_found, path + ": no such file");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

int main(int count, char** words) {
    try {
        const Arguments arguments = parse(count, words);
        const tropic::language::Program program =
            tropic::language::check_program(text_of(arguments.program), arguments.program);
        tropic::reference::run(program, arguments.inputs, std::cout);
        return 0;
    } catch (const std::exception& error) {
        std::cout.flush();
        std::cerr << error.what() << '\n';
        return 1;
    }
}
