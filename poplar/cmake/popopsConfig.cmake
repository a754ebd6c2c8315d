# find_package(popops): with what it is built on.
include("${CMAKE_CURRENT_LIST_DIR}/../poplar/poplarConfig.cmake")
