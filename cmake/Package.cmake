# What mechanisms outside of this tree are compiled with (docs/extending.md): the headers of include/warpsim as target
# warpsim::mechanisms. A project finds it after installation, or in this build folder:
#
#     find_package(warpsim REQUIRED)
#     target_link_libraries(mine PRIVATE warpsim::mechanisms)
#
# `cmake --install BUILD --component mechanism_headers` installs only this.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(WARPSIM_PACKAGE_DIR ${CMAKE_INSTALL_DATADIR}/cmake/warpsim)  # independent of the processor

add_library(warpsim_mechanisms INTERFACE)
add_library(warpsim::mechanisms ALIAS warpsim_mechanisms)
set_target_properties(warpsim_mechanisms PROPERTIES EXPORT_NAME mechanisms)
target_compile_features(warpsim_mechanisms INTERFACE cxx_std_20)
target_include_directories(warpsim_mechanisms INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
export(TARGETS warpsim_mechanisms NAMESPACE warpsim:: FILE ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfig.cmake)

install(TARGETS warpsim_mechanisms EXPORT warpsim)
install(EXPORT warpsim NAMESPACE warpsim:: FILE warpsimConfig.cmake DESTINATION ${WARPSIM_PACKAGE_DIR}
  COMPONENT mechanism_headers)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake DESTINATION ${WARPSIM_PACKAGE_DIR}
  COMPONENT mechanism_headers)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/warpsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT mechanism_headers FILES_MATCHING PATTERN "*.h")
