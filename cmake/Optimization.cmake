# Release builds are for any x86-64 processor of the last fifteen years (SSE4.2, POPCNT).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()
