# Libraries from the system, all of them Debian packages; `./dev setup` installs them.
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(CGAL REQUIRED)

find_path(METIS_INCLUDE metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(metis::metis INTERFACE IMPORTED)
target_include_directories(metis::metis SYSTEM INTERFACE ${METIS_INCLUDE})
target_link_libraries(metis::metis INTERFACE ${METIS_LIBRARY})

find_path(SCOTCH_INCLUDE scotch.h PATH_SUFFIXES scotch scotch-int32 REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(SCOTCHERR_LIBRARY scotcherr REQUIRED)
add_library(scotch::scotch INTERFACE IMPORTED)
target_include_directories(scotch::scotch SYSTEM INTERFACE ${SCOTCH_INCLUDE})
target_link_libraries(scotch::scotch INTERFACE ${SCOTCH_LIBRARY} ${SCOTCHERR_LIBRARY})

# MLIR says it is compatible with nothing but its own minor version; any of 22 will do.
find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
