# Code outside of simulations (command line, reports, sweeps, tests) is optimised less: -Og takes a third less time to
# compile than -O1.
function(warpsim_optimise_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# GCC looks for unused memory of its own as often as it would on a small machine. Less often is a twentieth faster, for
# 0.3 GiB more of memory in the largest unit.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=524288")
endif()

# Uses ccache if it is installed.
find_program(WARPSIM_CCACHE ccache)
if(WARPSIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WARPSIM_CCACHE})
endif()

# Release builds are for any x86-64 processor of the last fifteen years (SSE4.2, POPCNT).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()

# Profile-guided optimisation (scripts/build-fastest): `record` builds a program that writes what it executes beside its
# objects; `use`, in the same folder, optimises with that and across translation units. Code that was not executed is
# optimised as without a profile. Floating-point operations are executed as written in both.
set(WARPSIM_PROFILE "" CACHE STRING "record or use a profile; empty: none")
set_property(CACHE WARPSIM_PROFILE PROPERTY STRINGS "" record use)
if(WARPSIM_PROFILE STREQUAL "record")
  add_compile_options(-fprofile-generate -fprofile-update=prefer-atomic)
  add_link_options(-fprofile-generate)
elseif(WARPSIM_PROFILE STREQUAL "use")
  add_compile_options(-fprofile-use -fprofile-correction -fprofile-partial-training -Wno-missing-profile)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
elseif(WARPSIM_PROFILE)
  message(FATAL_ERROR "WARPSIM_PROFILE: expected record or use, not ${WARPSIM_PROFILE}")
endif()
