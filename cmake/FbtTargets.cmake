# fbt_library(NAME SOURCES ... [DEPS ...] [PRIVATE_DEPS ...])
#   One static library a folder; headers beside sources, included from the
#   root ("scorers/pass_at_k.h").
# fbt_test(NAME SOURCES ... [DEPS ...] [SERIAL])
#   One GoogleTest program a folder of tests/; every case is a ctest case. SERIAL
#   cases look at the whole machine (processes, cgroups) and run alone.
#   Tests that read files find the root through FBT_SOURCE_DIR and the golden
#   data through FBT_SHARED (environment), see tests/support.

include(GoogleTest)

function(fbt_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE fbt_options ${ARG_PRIVATE_DEPS})
endfunction()

function(fbt_test name)
  cmake_parse_arguments(ARG "SERIAL" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE fbt_options fbt_test_support ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name}
    TEST_PREFIX "${name}."
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 120  # a CUDA build of LibTorch takes seconds to load
    PROPERTIES RUN_SERIAL ${ARG_SERIAL} TIMEOUT 600 SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()
