# What projects outside of this tree find after installation, or in this build folder:
#
#     find_package(warpsim REQUIRED)
#     target_link_libraries(mine PRIVATE warpsim::mechanisms)       # headers for mechanisms (docs/extending.md)
#     target_link_libraries(study PRIVATE warpsim::simulator)       # the simulator as a library (docs/embedding.md)
#
# `cmake --install BUILD --component mechanism_headers` installs only the headers.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(WARPSIM_PACKAGE_DIR ${CMAKE_INSTALL_DATADIR}/cmake/warpsim)  # independent of the processor

add_library(warpsim_mechanisms INTERFACE)
add_library(warpsim::mechanisms ALIAS warpsim_mechanisms)
set_target_properties(warpsim_mechanisms PROPERTIES EXPORT_NAME mechanisms)
target_compile_features(warpsim_mechanisms INTERFACE cxx_std_20)
target_include_directories(warpsim_mechanisms INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set_target_properties(warpsim_simulator PROPERTIES EXPORT_NAME simulator)
target_include_directories(warpsim_simulator INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# warpsimConfig.cmake includes what is installed: the library may be missing beside the headers.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfig.cmake
  "foreach(part Mechanisms Simulator)\n"
  "  include(\${CMAKE_CURRENT_LIST_DIR}/warpsim\${part}.cmake OPTIONAL)\n"
  "endforeach()\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
export(TARGETS warpsim_mechanisms NAMESPACE warpsim:: FILE ${CMAKE_CURRENT_BINARY_DIR}/warpsimMechanisms.cmake)
export(TARGETS warpsim_simulator NAMESPACE warpsim:: FILE ${CMAKE_CURRENT_BINARY_DIR}/warpsimSimulator.cmake)

install(TARGETS warpsim_mechanisms EXPORT warpsim_mechanisms)
install(EXPORT warpsim_mechanisms NAMESPACE warpsim:: FILE warpsimMechanisms.cmake DESTINATION ${WARPSIM_PACKAGE_DIR}
  COMPONENT mechanism_headers)
install(TARGETS warpsim_simulator EXPORT warpsim_simulator LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT warpsim_simulator NAMESPACE warpsim:: FILE warpsimSimulator.cmake DESTINATION ${WARPSIM_PACKAGE_DIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake
  DESTINATION ${WARPSIM_PACKAGE_DIR} COMPONENT mechanism_headers)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/warpsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT mechanism_headers FILES_MATCHING PATTERN "*.h")
