# ropewalk_compiled_table(TARGET target NAME name TABLE kind ENCODING encoding POSITIONS begin:end [TYPE type] [ROWS rows])
#
# Makes a table at compile time in several translation units, for tables that would need too much memory in one
# compiler process (sizes: include/ropewalk/README.md). TARGET includes "NAME.hpp", which declares
#
#   namespace NAME { std::span<const TYPE> row(std::int64_t position); }
#
#   ropewalk_compiled_table(TARGET app NAME gpt2_positions TABLE sinusoidal
#     ENCODING "ropewalk::sinusoidal{.d_model = 768}" POSITIONS 0:1024)
#
#   TARGET    a library or an executable that links ropewalk::ropewalk
#   NAME      a C++ identifier
#   TABLE     sinusoidal, cos, sin or index_code: the table NAME_table of the headers
#   ENCODING  its configuration, a constant expression in C++
#   TYPE      float (the default), double, ropewalk::binary16 or ropewalk::bfloat16
#   ROWS      positions per translation unit (default: 256)

function(ropewalk_compiled_table)
  set(allowed "TARGET, NAME, TABLE, ENCODING, POSITIONS, TYPE, ROWS")
  cmake_parse_arguments(PARSE_ARGV 0 table "" "TARGET;NAME;TABLE;ENCODING;POSITIONS;TYPE;ROWS" "")
  foreach(field TARGET NAME TABLE ENCODING POSITIONS)
    if(NOT DEFINED table_${field})
      message(FATAL_ERROR "ropewalk_compiled_table: ${field} is missing; allowed: ${allowed}")
    endif()
  endforeach()
  if(DEFINED table_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ropewalk_compiled_table: argument is ${table_UNPARSED_ARGUMENTS}; allowed: ${allowed}")
  endif()
  if(NOT TARGET ${table_TARGET})
    message(FATAL_ERROR "ropewalk_compiled_table: TARGET is ${table_TARGET}; allowed: an existing target")
  endif()
  if(NOT table_NAME MATCHES "^[a-zA-Z][a-zA-Z0-9_]*$")
    message(FATAL_ERROR "ropewalk_compiled_table: NAME is ${table_NAME}; allowed: a C++ identifier")
  endif()
  if(NOT table_TABLE MATCHES "^(sinusoidal|cos|sin|index_code)$")
    message(FATAL_ERROR
      "ropewalk_compiled_table: TABLE is ${table_TABLE}; allowed: sinusoidal, cos, sin, index_code")
  endif()
  if(NOT table_POSITIONS MATCHES "^(-?[0-9]+):(-?[0-9]+)$")
    message(FATAL_ERROR "ropewalk_compiled_table: POSITIONS is ${table_POSITIONS}; allowed: BEGIN:END")
  endif()
  set(begin ${CMAKE_MATCH_1})
  set(end ${CMAKE_MATCH_2})
  if(NOT begin LESS end)
    message(FATAL_ERROR "ropewalk_compiled_table: POSITIONS is ${table_POSITIONS}; allowed: BEGIN below END")
  endif()
  if(NOT DEFINED table_TYPE)
    set(table_TYPE float)
  endif()
  if(NOT DEFINED table_ROWS)
    set(table_ROWS 256)
  endif()
  if(NOT table_ROWS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "ropewalk_compiled_table: ROWS is ${table_ROWS}; allowed: a whole number above 0")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/ropewalk_tables/${table_TARGET})
  set(declared "")
  set(listed "")
  set(part 0)
  set(first ${begin})
  while(first LESS end)
    math(EXPR last "${first} + ${table_ROWS}")
    if(last GREATER end)
      set(last ${end})
    endif()
    file(CONFIGURE OUTPUT ${folder}/${table_NAME}_${part}.cpp @ONLY CONTENT [=[
// Positions @first@ to below @last@ of the table @table_NAME@.

#include "@table_NAME@.hpp"
#include "ropewalk/ropewalk.hpp"

namespace {
constexpr auto rows =
    ropewalk::@table_TABLE@_table<@table_TYPE@, @table_ENCODING@, ropewalk::position_range{@first@, @last@}>;
}

namespace @table_NAME@::detail {
std::span<const @table_TYPE@> part_@part@(std::size_t row) { return rows[row]; }
}
]=])
    target_sources(${table_TARGET} PRIVATE ${folder}/${table_NAME}_${part}.cpp)
    string(APPEND declared "std::span<const ${table_TYPE}> part_${part}(std::size_t row);\n")
    string(APPEND listed "detail::part_${part}, ")
    math(EXPR part "${part} + 1")
    set(first ${last})
  endwhile()
  file(CONFIGURE OUTPUT ${folder}/${table_NAME}.hpp @ONLY CONTENT [=[
#pragma once
// @table_ENCODING@, positions @begin@ to below @end@, correctly rounded.

#include <cstdint>
#include <span>

#include "ropewalk/numeric/format.hpp"

namespace @table_NAME@ {

inline constexpr std::int64_t begin = @begin@, end = @end@;

/// The row of one position.
///
/// domain  begin <= position < end
/// throws  std::out_of_range
std::span<const @table_TYPE@> row(std::int64_t position);

}  // namespace @table_NAME@
]=])
  file(CONFIGURE OUTPUT ${folder}/${table_NAME}.cpp @ONLY CONTENT [=[
#include "@table_NAME@.hpp"

#include <stdexcept>
#include <string>

namespace @table_NAME@ {

namespace detail {
@declared@}

std::span<const @table_TYPE@> row(std::int64_t position) {
  constexpr std::span<const @table_TYPE@> (*parts[])(std::size_t) = {@listed@};
  if (position < begin || position >= end)
    throw std::out_of_range("position is " + std::to_string(position) +
                            "; allowed: from @begin@ to below @end@");
  const auto at = static_cast<std::size_t>(position - begin);
  return parts[at / @table_ROWS@](at % @table_ROWS@);
}

}  // namespace @table_NAME@
]=])
  target_sources(${table_TARGET} PRIVATE ${folder}/${table_NAME}.cpp)
  target_include_directories(${table_TARGET} PRIVATE ${folder})
endfunction()
