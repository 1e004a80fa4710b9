# Release builds are optimised across files, for any x86-64 processor of the last fifteen years (SSE4.2, POPCNT).
include(CheckIPOSupported)
check_ipo_supported(RESULT WARPSIM_IPO OUTPUT ipo_output LANGUAGES CXX)
if(WARPSIM_IPO AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()
