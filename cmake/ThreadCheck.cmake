# A second program for ThreadSanitizer: only what the threads of a simulation execute for a trace is compiled, the rest is
# taken from another build of the same sources. Everything would take several times as long to compile.
set(WARPSIM_COMPILED_LIBRARIES "" CACHE PATH "folder of a build, whose libwarpsim_program.a and libwarpsim_lib.a are linked")
if(NOT WARPSIM_COMPILED_LIBRARIES)
  return()
endif()

set(sources ${WARPSIM_SOURCES})
list(FILTER sources EXCLUDE REGEX "/sim/(codegen|cuda|emulator|ptx|sass)/")
add_library(warpsim_checked STATIC EXCLUDE_FROM_ALL ${sources})
target_include_directories(warpsim_checked PUBLIC sim include)
target_link_libraries(warpsim_checked PUBLIC warpsim_warnings warpsim_dependencies warpsim_trace_proto ${CMAKE_DL_LIBS})
# The groups are those of warpsim_lib, where names are known to differ. Whole folders of sim/ are left out, so that no group has
# files of both kinds: the other build's would define functions a second time.
set_target_properties(warpsim_checked PROPERTIES UNITY_BUILD ${WARPSIM_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
add_executable(warpsim_thread_check EXCLUDE_FROM_ALL sim/app/main.cc)
# The linker takes the first definition of a function: the checked one where there are two.
target_link_libraries(warpsim_thread_check PRIVATE
  "-Wl,--whole-archive,$<TARGET_FILE:warpsim_checked>,--no-whole-archive"
  ${WARPSIM_COMPILED_LIBRARIES}/libwarpsim_program.a ${WARPSIM_COMPILED_LIBRARIES}/libwarpsim_lib.a
  warpsim_checked Boost::program_options PkgConfig::HTTPLIB PkgConfig::QPDF)
target_include_directories(warpsim_thread_check PRIVATE sim include)
