# Warnings are errors in our own code only; generated and system headers are exempt.
add_library(warpsim_warnings INTERFACE)
target_compile_options(warpsim_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror)
# g++ 12 sees overlapping copies in std::string's operator+ where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpsim_warnings INTERFACE -Wno-restrict)
endif()
# Where sanitizers instrument the standard library, g++ sees uninitialised members in std::function and std::regex.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(warpsim_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
# Where files are compiled together, what is local in one shadows what is local in another.
if(WARPSIM_UNITY_BUILD)
  target_compile_options(warpsim_warnings INTERFACE -Wno-shadow)
endif()
