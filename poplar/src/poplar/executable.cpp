// Executables in files.
#include <istream>
#include <ostream>
#include <sstream>

#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

#include "core.h"
#include "machines/tile/stored_bytes.h"
#include "machines/tile/stored_executable.h"
#include "translate.h"

namespace poplar {

namespace tile = tropic::tile;

void Executable::serialize(std::ostream& out) const {
    if (!impl_) throw graph_object_load_error("the executable holds nothing");
    core::translated([&] {
        tile::ByteWriter writer;
        writer.list(impl_->options, [&](const auto& option) {
            writer.text(option.first);
            writer.text(option.second);
        });
        writer.text(impl_->executable->profile.program);
        writer.text(tile::store_executable(*impl_->executable));
        out << writer.written();
    });
}

Executable Executable::deserialize(std::istream& in) {
    std::ostringstream all;
    all << in.rdbuf();
    const std::string bytes = all.str();
    try {
        tile::ByteReader reader(bytes);
        auto impl = std::make_shared<core::Executable>();
        reader.list([&] {
            const std::string name = reader.text();
            impl->options.set(name, reader.text());
        });
        tile::CompileOptions options;
        options.program_name = reader.text();
        options.allow_out_of_memory = core::read_settings(impl->options).allow_out_of_memory;
        impl->executable = tile::load_executable(reader.text(), options);
        return Executable(std::move(impl));
    } catch (const tropic::Error& error) {
        throw graph_object_load_error(std::string(error.what()));
    }
}

} // namespace poplar
