# Settings shared by every target: language level, warnings, sanitizers, ccache,
# and where binaries land.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Carried by our own targets only (see FbtTargets), never by dependencies.
add_library(fbt_options INTERFACE)
target_compile_options(fbt_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms on std::string's operator+ and assignment (GCC bug 105651).
    target_compile_options(fbt_options INTERFACE -Wno-restrict)
  else()
    # False alarms: inside libstdc++ and fmt 9 once they are inlined here; on a
    # reference to what a function got by reference, beside a temporary.
    target_compile_options(fbt_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
  endif()
endif()
target_include_directories(fbt_options INTERFACE ${CMAKE_SOURCE_DIR})

if(FBT_SANITIZE)
  add_compile_options(-fsanitize=${FBT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${FBT_SANITIZE})
endif()
if(FBT_BUILD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
