// What the programs of this directory check their results with. A program goes on after a failed
// check, and returns how it went: `return check::result();`
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <iostream>
#include <source_location>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <poplar/Device.hpp>
#include <poplar/IPUModel.hpp>

namespace check {

using Where = std::source_location;

struct Count {
    int checks = 0;
    int failures = 0;
};

inline Count& count() {
    static Count all;
    return all;
}

inline void failed(const std::string& what, const Where& where) {
    ++count().failures;
    std::cerr << where.file_name() << ":" << where.line() << ": " << what << "\n";
}

inline void that(bool condition, const std::string& what, const Where where = Where::current()) {
    ++count().checks;
    if (!condition) failed("not so: " + what, where);
}

template <class A, class B>
void equal(const A& found, const B& expected, const Where where = Where::current()) {
    ++count().checks;
    if (found == static_cast<A>(expected)) return;
    std::ostringstream text;
    text << "found " << found << ", expected " << expected;
    failed(text.str(), where);
}

template <class T>
void equal(const std::vector<T>& found, const std::vector<T>& expected,
           const Where where = Where::current()) {
    ++count().checks;
    if (found.size() != expected.size()) {
        failed("found " + std::to_string(found.size()) + " elements, expected " +
                   std::to_string(expected.size()),
               where);
        return;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == expected[i]) continue;
        std::ostringstream text;
        text << "element " << i << ": found " << +found[i] << ", expected " << +expected[i];
        failed(text.str(), where);
        return;
    }
}

inline void near(const std::vector<float>& found, const std::vector<float>& expected,
                 float tolerance, const Where where = Where::current()) {
    ++count().checks;
    if (found.size() != expected.size()) return failed("different sizes", where);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::abs(found[i] - expected[i]) <= tolerance) continue;
        std::ostringstream text;
        text << "element " << i << ": found " << found[i] << ", expected " << expected[i];
        return failed(text.str(), where);
    }
}

/// The action must throw an Error whose text holds all of `parts`.
template <class Error, class Action>
void throws(Action&& action, const std::vector<std::string>& parts = {},
            const Where where = Where::current()) {
    ++count().checks;
    try {
        action();
    } catch (const Error& error) {
        for (const std::string& part : parts) {
            if (std::string(error.what()).find(part) != std::string::npos) continue;
            failed("the message lacks '" + part + "': " + error.what(), where);
        }
        return;
    } catch (const std::exception& error) {
        return failed(std::string("another error was thrown: ") + error.what(), where);
    }
    failed("nothing was thrown", where);
}

inline int result() {
    if (count().checks == 0) {
        std::cerr << "nothing was checked\n";
        return 1;
    }
    return count().failures == 0 ? 0 : 1;
}

/// A machine with few tiles, as most programs need no more.
inline poplar::Device device(unsigned tiles = 4) {
    poplar::IPUModel model;
    model.tilesPerIPU = tiles;
    return model.createDevice();
}

/// What the process writes to a file descriptor while this lives.
class Captured {
  public:
    explicit Captured(int descriptor) : descriptor_(descriptor), file_(std::tmpfile()) {
        flush();
        saved_ = dup(descriptor_);
        dup2(fileno(file_), descriptor_);
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    ~Captured() {
        if (saved_ >= 0) restore();
        std::fclose(file_);
    }

    std::string text() {
        restore();
        std::string all;
        std::rewind(file_);
        for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) {
            all.push_back(static_cast<char>(c));
        }
        return all;
    }

  private:
    static void flush() {
        std::cout.flush();
        std::cerr.flush();
        std::fflush(nullptr);
    }
    void restore() {
        flush();
        dup2(saved_, descriptor_);
        close(saved_);
        saved_ = -1;
    }

    int descriptor_;
    int saved_ = -1;
    std::FILE* file_;
};

} // namespace check
