# The libraries that CUDA programs load instead of NVIDIA's: one with all code, and for each name that programs request
# an almost empty one that links to it. They are in a separate folder, which `warpsim exec` puts first.
set(WARPSIM_CUDA_LIBRARY_DIR ${CMAKE_BINARY_DIR}/lib/warpsim)

# Functions that are only exported: each name of the list that is not defined otherwise.
# Names that end in _ptsz or _ptds are second names.
function(warpsim_generate_unsupported list refusal source)
  file(STRINGS ${list} names REGEX "^[^#]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  set(code "#include \"cuda/streams/null_stream.h\"\n#include \"cuda/unsupported.h\"\n\n")
  string(APPEND code "extern \"C\" {\n")
  foreach(name ${names})
    if(name MATCHES "^(.*)_pt[sd][sz]$")
      string(APPEND code "WARPSIM_OWN_STREAM_NAME(\"${name}\", \"${CMAKE_MATCH_1}\");\n")
    else()
      string(APPEND code
        "[[gnu::weak, gnu::visibility(\"default\")]] int ${name}() { return ${refusal}(\"${name}\"); }\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT "${code}}\n" @ONLY)
endfunction()

set(WARPSIM_CUDA_GENERATED ${CMAKE_BINARY_DIR}/generated/cuda)
warpsim_generate_unsupported(${CMAKE_CURRENT_SOURCE_DIR}/sim/cuda/runtime/runtime_functions.txt warpsimUnsupportedRuntime
  ${WARPSIM_CUDA_GENERATED}/unsupported_runtime.cc)
warpsim_generate_unsupported(${CMAKE_CURRENT_SOURCE_DIR}/sim/cuda/driver/driver_functions.txt warpsimUnsupportedDriver
  ${WARPSIM_CUDA_GENERATED}/unsupported_driver.cc)

file(CONFIGURE OUTPUT ${WARPSIM_CUDA_GENERATED}/exports.map CONTENT
  "{ global: cuda*; __cuda*; cu[A-Z]*; warpsim[A-Z]*; InitializeInjectionNvtx2; local: *; };\n" @ONLY)
add_library(warpsim_cuda SHARED sim/cuda/libraries/process_end.cc ${WARPSIM_CUDA_GENERATED}/unsupported_runtime.cc
  ${WARPSIM_CUDA_GENERATED}/unsupported_driver.cc)
target_link_libraries(warpsim_cuda PRIVATE -Wl,--whole-archive warpsim_lib -Wl,--no-whole-archive)
target_link_options(warpsim_cuda PRIVATE -Wl,--version-script=${WARPSIM_CUDA_GENERATED}/exports.map
  -Wl,--gc-sections)
# clang's sanitizers are part of programs, and libraries take them from there.
if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_FLAGS MATCHES "-fsanitize="))
  target_link_options(warpsim_cuda PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(warpsim_cuda PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${WARPSIM_CUDA_LIBRARY_DIR})
install(TARGETS warpsim_cuda LIBRARY DESTINATION lib/warpsim)

# `name`: file and soname; `version`: of its symbols for programs, or empty.
function(warpsim_add_front target name version)
  add_library(${target} SHARED ${ARGN})
  target_include_directories(${target} PRIVATE sim)
  target_link_libraries(${target} PRIVATE warpsim_warnings -Wl,--no-as-needed warpsim_cuda)
  if(version)
    file(CONFIGURE OUTPUT ${WARPSIM_CUDA_GENERATED}/${target}.map CONTENT "${version} { global: cuda*; local: *; };\n"
      @ONLY)
    target_link_options(${target} PRIVATE -Wl,--version-script=${WARPSIM_CUDA_GENERATED}/${target}.map)
  endif()
  target_link_options(${target} PRIVATE -Wl,-soname,${name})
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${WARPSIM_CUDA_LIBRARY_DIR} PREFIX ""
    OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${target} LIBRARY DESTINATION lib/warpsim)
endfunction()

file(CONFIGURE OUTPUT ${WARPSIM_CUDA_GENERATED}/nothing.cc CONTENT "" @ONLY)
warpsim_add_front(warpsim_cudart_11 libcudart.so.11.0 libcudart.so.11.0 sim/cuda/libraries/cudart_11.cc
  sim/cuda/libraries/graphs_11.cc sim/cuda/libraries/graphs_12.cc sim/cuda/libraries/managed_12.cc)
warpsim_add_front(warpsim_cudart_12 libcudart.so.12 libcudart.so.12 sim/cuda/libraries/cudart_12.cc
  sim/cuda/libraries/copies_12.cc sim/cuda/libraries/graphs_12.cc sim/cuda/libraries/managed_12.cc)
warpsim_add_front(warpsim_cudart_13 libcudart.so.13 libcudart.so.13 ${WARPSIM_CUDA_GENERATED}/nothing.cc)
warpsim_add_front(warpsim_cuda_driver libcuda.so.1 "" ${WARPSIM_CUDA_GENERATED}/nothing.cc)
set(WARPSIM_CUDA_FRONTS warpsim_cudart_11 warpsim_cudart_12 warpsim_cudart_13 warpsim_cuda_driver)
