# find_package(poplar): the targets poplar, poputil and popops.
include(CMakeFindDependencyMacro)
list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}/../../..")
find_dependency(Tropic)
list(POP_BACK CMAKE_PREFIX_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/poplarTargets.cmake")
