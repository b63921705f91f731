# ropewalk_table(TARGET target KIND kind OUTPUT file [FORMAT format] [ARGS argument...])
#
# Runs `ropewalk table KIND ARGS` when TARGET is built, and again whenever the program or a file named in ARGS
# changes. OUTPUT is written to a directory that becomes one of TARGET's include directories:
#
#   ropewalk_table(TARGET app KIND inv-freq OUTPUT inv_freq.h ARGS --model llama-3.1-8b --dtype f32)
#   ropewalk_table(TARGET app KIND turns OUTPUT tables/turns.glsl
#     ARGS --config config.json --name model_turns)
#
#   TARGET  a library or an executable; with an interface library, the targets that link it get the include
#           directory
#   OUTPUT  path relative to that directory, which is ropewalk_tables/TARGET in the current build directory;
#           the suffix selects the format (.h: a C header) unless FORMAT is given; an unknown suffix fails the
#           build
#   ARGS    other options of `ropewalk table`; the files of --config, --positions and --positions-f64 are
#           relative to the current source directory
#
# The program is ROPEWALK_PROGRAM if it is set, else this build's own, else the one found beside
# the package or in PATH. Set ROPEWALK_PROGRAM when cross-compiling.

# Sets arguments_result to ARGN with relative file paths rewritten relative to `root`, and files_result to the
# absolute paths of these files.
function(ropewalk_table_arguments_ arguments_result files_result root)
  set(arguments "")
  set(files "")
  set(option "")
  foreach(word IN LISTS ARGN)
    if(word MATCHES "^(--[a-z0-9-]+)=(.*)$")
      list(APPEND arguments ${CMAKE_MATCH_1})
      set(option ${CMAKE_MATCH_1})
      set(word "${CMAKE_MATCH_2}")
    endif()
    if(word MATCHES "^--(output|format)$" OR option MATCHES "^--(output|format)$")
      message(FATAL_ERROR
        "ropewalk_table: ARGS has ${word}; allowed: use the arguments OUTPUT and FORMAT of ropewalk_table")
    endif()
    if(option STREQUAL "--config" OR (option MATCHES "^--positions(-f64)?$" AND word MATCHES "\\.npy$"))
      set(file "${word}")
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      if(NOT IS_ABSOLUTE "${word}")
        set(word "${file}")
        cmake_path(RELATIVE_PATH word BASE_DIRECTORY ${root})
      endif()
      if(IS_DIRECTORY "${file}")
        list(APPEND files "${file}/config.json")
      else()
        list(APPEND files "${file}")
      endif()
    endif()
    list(APPEND arguments "${word}")
    set(option "${word}")
  endforeach()
  set(${arguments_result} "${arguments}" PARENT_SCOPE)
  set(${files_result} "${files}" PARENT_SCOPE)
endfunction()

# Sets `result` to the program, or its target. `of` is the calling function, for messages.
function(ropewalk_program_ result of)
  if(NOT ROPEWALK_PROGRAM AND TARGET ropewalk::tool)
    set(${result} ropewalk::tool PARENT_SCOPE)
    return()
  endif()
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})  # lib/cmake/ropewalk or lib/TRIPLET/cmake/ropewalk
  find_program(ROPEWALK_PROGRAM ropewalk HINTS ${here}/../../../bin ${here}/../../../../bin
    DOC "The program that writes tables when a project is built, and verifies its kernels")
  if(NOT ROPEWALK_PROGRAM)
    message(FATAL_ERROR
      "${of}: ROPEWALK_PROGRAM is missing; allowed: the path of the program ropewalk, or "
      "ROPEWALK_TOOL=ON where ropewalk is a part of this build")
  endif()
  set(${result} "${ROPEWALK_PROGRAM}" PARENT_SCOPE)
endfunction()

function(ropewalk_table)
  cmake_parse_arguments(PARSE_ARGV 0 table "" "TARGET;KIND;OUTPUT;FORMAT" ARGS)
  foreach(field TARGET KIND OUTPUT)
    if(NOT DEFINED table_${field})
      message(FATAL_ERROR "ropewalk_table: ${field} is missing; allowed: TARGET, KIND, OUTPUT, FORMAT, ARGS")
    endif()
  endforeach()
  if(DEFINED table_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "ropewalk_table: argument is ${table_UNPARSED_ARGUMENTS}; allowed: TARGET, KIND, OUTPUT, FORMAT, ARGS")
  endif()
  if(NOT TARGET ${table_TARGET})
    message(FATAL_ERROR "ropewalk_table: TARGET is ${table_TARGET}; allowed: an existing target")
  endif()
  if(IS_ABSOLUTE "${table_OUTPUT}")
    message(FATAL_ERROR "ropewalk_table: OUTPUT is ${table_OUTPUT}; allowed: a relative path")
  endif()
  cmake_path(NORMAL_PATH table_OUTPUT)
  if(table_OUTPUT MATCHES "^\\.\\.(/|$)")
    message(FATAL_ERROR
      "ropewalk_table: OUTPUT is ${table_OUTPUT}; allowed: a path inside ropewalk_tables/TARGET")
  endif()
  # The file's record has the command line. Paths relative to root do not depend on the place of the checkout.
  set(root ${CMAKE_CURRENT_BINARY_DIR}/ropewalk_tables/${table_TARGET})
  ropewalk_table_arguments_(arguments files ${root} ${table_ARGS})
  ropewalk_program_(program ropewalk_table)

  cmake_path(ABSOLUTE_PATH table_OUTPUT BASE_DIRECTORY ${root} NORMALIZE OUTPUT_VARIABLE output)
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY ${root} ${folder})
  set(format "")
  if(DEFINED table_FORMAT)
    set(format --format ${table_FORMAT})
  endif()
  set(beside "")
  if(table_FORMAT STREQUAL npy OR (NOT DEFINED table_FORMAT AND table_OUTPUT MATCHES "[.]npy$"))
    set(beside BYPRODUCTS ${output}.json)
  endif()
  add_custom_command(OUTPUT ${output} ${beside}
    COMMAND ${program} table ${table_KIND} ${arguments} ${format} --output ${table_OUTPUT} --quiet
    WORKING_DIRECTORY ${root} DEPENDS ${program} ${files} VERBATIM
    COMMENT "ropewalk table ${table_KIND}: ${table_OUTPUT}")
  string(SHA256 name "${table_TARGET}/${table_OUTPUT}")  # unique and valid for any characters
  string(SUBSTRING ${name} 0 16 name)
  add_custom_target(ropewalk_table_${name} DEPENDS ${output})
  add_dependencies(${table_TARGET} ropewalk_table_${name})

  get_target_property(type ${table_TARGET} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_include_directories(${table_TARGET} ${scope} $<BUILD_INTERFACE:${root}>)
endfunction()
