# ropewalk_add_verify_test(target [NAME name] [KERNEL kernel] [MODEL model...] [CONFIG file...] [PROMISE promise]
#                          [DTYPES dtype...] [LAWS law...] [OPTIONS argument...])
#
# Adds a CTest test that checks the kernels of a shared library against the laws, by `ropewalk verify`. The library exports
# the interface of ropewalk/kernel/kernel.h. The test fails if that command fails, and prints its report:
#
#   enable_testing()
#   ropewalk_add_verify_test(mine MODEL llama-3.1-8b DTYPES f32 LAWS accuracy norm OPTIONS --cases 200)
#
#   target   a shared library or a module
#   NAME     the test's name (default: ropewalk.target)
#   KERNEL   one kernel of the library by its name (default: all)
#   CONFIG   configurations, relative to the current source directory
#   PROMISE  the promise to check (default: the kernel's own)
#   OPTIONS  other options of `ropewalk verify`, such as --budget 10 or --report junit=verify.xml
#
# The test has the label `ropewalk`: `ctest -LE ropewalk` skips it. The program is found as in ropewalk_table.
function(ropewalk_add_verify_test target)
  set(allowed "NAME, KERNEL, MODEL, CONFIG, PROMISE, DTYPES, LAWS, OPTIONS")
  cmake_parse_arguments(PARSE_ARGV 1 test "" "NAME;KERNEL;PROMISE" "MODEL;CONFIG;DTYPES;LAWS;OPTIONS")
  if(DEFINED test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "ropewalk_add_verify_test: argument is ${test_UNPARSED_ARGUMENTS}; allowed: a target, ${allowed}")
  endif()
  if(DEFINED test_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "ropewalk_add_verify_test: ${test_KEYWORDS_MISSING_VALUES} is empty; allowed: a value, or leave it out")
  endif()
  set(type "nothing")
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
  endif()
  if(NOT type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    message(FATAL_ERROR
      "ropewalk_add_verify_test: target is ${target} (${type}); allowed: a target that is a shared library or a module")
  endif()
  if(NOT DEFINED test_NAME)
    set(test_NAME ropewalk.${target})
  endif()
  set(kernel "library:$<TARGET_FILE:${target}>")
  if(DEFINED test_KERNEL)
    string(APPEND kernel "#${test_KERNEL}")
  endif()
  set(arguments "")
  foreach(field MODEL PROMISE DTYPES LAWS)
    string(TOLOWER ${field} option)
    string(REGEX REPLACE "s$" "" option ${option})
    if(DEFINED test_${field})
      list(APPEND arguments --${option} ${test_${field}})
    endif()
  endforeach()
  foreach(file IN LISTS test_CONFIG)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND arguments --config ${file})
  endforeach()
  ropewalk_program_(program ropewalk_add_verify_test)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${test_NAME} COMMAND ${program} verify --kernel ${kernel} ${arguments} ${test_OPTIONS})
  set_property(TEST ${test_NAME} APPEND PROPERTY LABELS ropewalk)
endfunction()
