# ctest's entries for the unit tests: a few per folder, and one for each slow case. One for each case would take twice as long:
# most cases take less time than the program takes to start.

foreach(source ${WARPSIM_TEST_SOURCES})
  if(source MATCHES "/unit/([a-z_]+)/([a-z0-9_]+/)*([a-z0-9_]+_test)\\.cc$")
    list(APPEND unit_folders ${CMAKE_MATCH_1})
    # Catch2 tags a case with its file.
    list(APPEND unit_tests_${CMAKE_MATCH_1} "[#${CMAKE_MATCH_3}]~[slow]")
  elseif(NOT source MATCHES "/support/")
    message(FATAL_ERROR "${source}: expected tests in tests/unit/<folder>/[<block>/]<component>_test.cc")
  endif()
endforeach()
list(REMOVE_DUPLICATES unit_folders)
# Cases with many inputs take 10 s to a minute with sanitizers, and find there what a part of their inputs finds.
set(left_out "")
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(left_out "~[exhaustive]")
endif()

set(files_per_part 8)  # a folder in one piece can take longer than all others beside it
foreach(folder ${unit_folders})
  list(LENGTH unit_tests_${folder} count)
  math(EXPR last "${count} - 1")
  set(part 0)
  foreach(first RANGE 0 ${last} ${files_per_part})
    math(EXPR part "${part} + 1")
    list(SUBLIST unit_tests_${folder} ${first} ${files_per_part} files)
    list(TRANSFORM files APPEND "${left_out}" OUTPUT_VARIABLE files)
    list(JOIN files "," cases)
    add_test(NAME "unit tests of ${folder}, part ${part}" COMMAND warpsim_tests --filenames-as-tags "${cases}")
  endforeach()
endforeach()
catch_discover_tests(warpsim_tests TEST_SPEC "[slow]" TEST_SUFFIX " (slow)" PROPERTIES LABELS slow)
