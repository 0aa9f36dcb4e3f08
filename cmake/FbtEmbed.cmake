# fbt_embed(TARGET FUNCTION QUALIFIED::NAME FILE PATH)
#   Puts the bytes of FILE into TARGET as read-only data and defines
#     std::string_view QUALIFIED::NAME()
#   that returns them; declare that function in a header of TARGET. The
#   assembler reads the file (.incbin), so megabytes cost no compile time, and
#   a changed file is embedded anew at the next build.
function(fbt_embed target)
  cmake_parse_arguments(ARG "" "FUNCTION;FILE" "" ${ARGN})
  get_filename_component(path ${ARG_FILE} ABSOLUTE)
  string(REGEX MATCH "^(.*)::([^:]+)$" _ ${ARG_FUNCTION})
  set(namespace ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  string(MAKE_C_IDENTIFIER "fbt_embedded_${ARG_FUNCTION}" symbol)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT [=[
#include <string_view>
asm(R"(
  .pushsection .rodata
  .balign 64
@symbol@:
  .incbin "@path@"
@symbol@_end:
  .byte 0
  .popsection
)");
extern "C" {
extern const char @symbol@[];
extern const char @symbol@_end[];
}
namespace @namespace@ {
std::string_view @name@();
std::string_view @name@() {
  return {@symbol@, static_cast<std::size_t>(@symbol@_end - @symbol@)};
}
}  // namespace @namespace@
]=] @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${path})
  target_sources(${target} PRIVATE ${source})
endfunction()

# fbt_embed_files(TARGET FUNCTION QUALIFIED::NAME BASE FOLDER FILES PATH...)
#   The same for several files: defines
#     std::span<const fbt::EmbeddedFile> QUALIFIED::NAME()
#   (base/embedded_file.h) with the files' paths relative to FOLDER, in the order given.
function(fbt_embed_files target)
  cmake_parse_arguments(ARG "" "FUNCTION;BASE" "FILES" ${ARGN})
  string(REGEX MATCH "^(.*)::([^:]+)$" _ ${ARG_FUNCTION})
  set(namespace ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  get_filename_component(base ${ARG_BASE} ABSOLUTE)
  set(declarations)
  set(entries)
  foreach(file ${ARG_FILES})
    get_filename_component(path ${file} ABSOLUTE)
    file(RELATIVE_PATH relative ${base} ${path})
    string(MAKE_C_IDENTIFIER "${name}_${relative}" function)
    fbt_embed(${target} FUNCTION ${namespace}::${function} FILE ${path})
    string(APPEND declarations "std::string_view ${function}();\n")
    string(APPEND entries "      {\"${relative}\", ${function}()},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_files_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT [=[
#include "base/embedded_file.h"
namespace @namespace@ {
@declarations@
std::span<const fbt::EmbeddedFile> @name@();
std::span<const fbt::EmbeddedFile> @name@() {
  static const fbt::EmbeddedFile files[] = {
@entries@  };
  return files;
}
}  // namespace @namespace@
]=] @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()
