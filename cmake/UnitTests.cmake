# ctest's entries for the unit tests: one per test case, or one per folder for builds that start slowly.
option(WARPSIM_TESTS_BY_FOLDER "one entry of ctest for each folder of unit tests" OFF)

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

if(WARPSIM_TESTS_BY_FOLDER)
  foreach(folder ${unit_folders})
    list(JOIN unit_tests_${folder} "," cases)
    add_test(NAME "unit tests of ${folder}" COMMAND warpsim_tests --filenames-as-tags "${cases}")
  endforeach()
else()
  catch_discover_tests(warpsim_tests TEST_SPEC "~[slow]")
  catch_discover_tests(warpsim_tests TEST_SPEC "[slow]" TEST_SUFFIX " (slow)" PROPERTIES LABELS slow)
endif()
