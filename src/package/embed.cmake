# Writes OUTPUT, a C++ file that holds the text of every file named after `--`.
set(entries "")
set(count 0)
set(is_file OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(is_file)
    file(READ "${argument}" text)
    cmake_path(GET argument STEM LAST_ONLY name)
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
    math(EXPR count "${count} + 1")
  elseif(argument STREQUAL "--")
    set(is_file ON)
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// Generated from src/model/catalogue.
#include \"model/embedded_catalogue.hpp\"

#include <array>

namespace ropewalk::model {

std::span<const embedded_file> embedded_catalogue() {
  static constexpr std::array<embedded_file, ${count}> files = {{
${entries}  }};
  return files;
}

}  // namespace ropewalk::model
")
