#pragma once

namespace poplar {

/// What a codelet file holds; C++ sources are what can be compiled here.
enum class CodeletFileType {
    PreprocessedAsmSource,
    AsmSource,
    CSource,
    CppSource,
    IrSource,
    Object,
    Auto
};

} // namespace poplar
