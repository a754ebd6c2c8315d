# How everything is compiled: standard, warnings, sanitizers, launcher and linker.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Unit tests reach into the library's internals, so everything is visible.
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Another clone of the same sources finds what this one compiled, wherever it lies.
  set(LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
               ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${LAUNCHER})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LAUNCHER})
endif()

# Generated graphs must be the same everywhere, so no multiply-add may be contracted behind our back.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -ffp-contract=off)
if(TROPIC_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  find_program(LLD NAMES ld.lld-22 ld.lld)
  if(LLD)
    add_link_options("--ld-path=${LLD}")
  endif()
endif()

if(TROPIC_SANITIZERS)
  add_compile_options(-fsanitize=${TROPIC_SANITIZERS} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TROPIC_SANITIZERS})
endif()
