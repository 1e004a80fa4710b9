# Warnings are errors only in the project's code; generated and system headers are exempt.
add_library(warpsim_warnings INTERFACE)
target_compile_options(warpsim_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror)
# g++ 12 sees overlapping copies in std::string's operator+ where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpsim_warnings INTERFACE -Wno-restrict)
endif()
# If sanitizers instrument the standard library, g++ sees uninitialised members in std::function and std::regex.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(warpsim_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
# In unity builds, local names of one file shadow those of another.
if(WARPSIM_UNITY_BUILD)
  target_compile_options(warpsim_warnings INTERFACE -Wno-shadow)
endif()
