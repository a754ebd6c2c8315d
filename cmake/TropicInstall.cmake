# `cmake --install`: the program, the library, its headers and the package that
# find_package(Tropic) looks for. Every path is relative, so that the prefix may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TROPIC_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/Tropic")

install(TARGETS tropic_library tropic_tile EXPORT TropicTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tropic_compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tropic
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/library/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tropic/library
        FILES_MATCHING PATTERN "*.tropic")
# The build tree has the library where an installation has it: found from libtropic's own folder.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/tropic)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/library ${PROJECT_BINARY_DIR}/share/tropic/library SYMBOLIC)

if(TARGET tropic)
  file(RELATIVE_PATH TROPIC_BIN_TO_LIB "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(tropic PROPERTIES INSTALL_RPATH "$ORIGIN/${TROPIC_BIN_TO_LIB}")
  install(TARGETS tropic RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT TropicTargets NAMESPACE Tropic:: DESTINATION ${TROPIC_PACKAGE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TropicConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/TropicConfig.cmake
                              INSTALL_DESTINATION ${TROPIC_PACKAGE_DIR}
                              NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/TropicConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/TropicConfig.cmake
              ${PROJECT_BINARY_DIR}/cmake/TropicConfigVersion.cmake
        DESTINATION ${TROPIC_PACKAGE_DIR})

# Poplar's interface: three libraries, each found by its name, with headers of their own.
install(TARGETS poplar poputil popops EXPORT poplarTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/poplar/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT poplarTargets DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplar)
foreach(package poplar poputil popops)
  install(FILES ${PROJECT_SOURCE_DIR}/poplar/cmake/${package}Config.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
endforeach()

# As they lie in the project, so that they find each other and what they show.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
              ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
