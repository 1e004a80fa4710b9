# Release builds are optimised across files, for any x86-64 processor of the last fifteen years (SSE4.2, POPCNT).
include(CheckIPOSupported)
check_ipo_supported(RESULT WARPSIM_IPO OUTPUT ipo_output LANGUAGES CXX)
if(WARPSIM_IPO AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  # At link time g++ 12 warns of overruns in std::string that are not there (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_link_options(-Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
  endif()
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()
