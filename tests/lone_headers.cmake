# Every public header compiles alone: target lone_headers has one file for each header, which includes it and
# nothing else.
#
# Most of the time goes into headers that nearly all of them include. So a header that includes one of `begun`
# is compiled after that one, precompiled. This hides nothing: what the precompiled header declares is what the
# header includes itself. An #include counts before the first #if alone, as it may do nothing after it.
set(begun reference/rope.hpp reference/number.hpp law/kernel/checked_rotation.hpp law/law.hpp table/rope_rows.hpp
  encoding/rope.hpp numeric/enclosure.hpp config/require.hpp)

#
# Of these headers, many are the first that some .cpp includes, and so compile alone with g++ already. A second
# compiler leaves those out, laws and what needs Boost, but for laws.hpp and reference/rope.hpp, which include most
# of them; `./dev prove` has it compile all.
set(first_included)
if(is_second_compiler)
  file(GLOB_RECURSE sources_of_all CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp ${PROJECT_SOURCE_DIR}/gpu/*.cpp
    ${PROJECT_SOURCE_DIR}/proofs/*.cpp)
  foreach(file ${sources_of_all})
    file(STRINGS ${file} line REGEX "^#include" LIMIT_COUNT 1)
    if(line MATCHES "\"ropewalk/([^\"]+)\"")
      list(APPEND first_included ${CMAKE_MATCH_1})
    endif()
  endforeach()
endif()

set(lone)
foreach(header ${headers} ${reference_headers})
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/include/ropewalk OUTPUT_VARIABLE name)
  list(APPEND lone ${name})
  file(READ ${header} text)
  string(REGEX REPLACE "\n#if.*" "" text "${text}")
  string(REGEX MATCHALL "\n#include \"ropewalk/[^\"]+" included "${text}")
  list(TRANSFORM included REPLACE "\n#include \"ropewalk/" "")
  set(included_by_${name} ${included})
endforeach()

if(is_second_compiler)
  list(FILTER lone EXCLUDE REGEX "^(law|measure|reference)/")
  list(FILTER begun EXCLUDE REGEX "^(law|reference)/")
  list(APPEND lone reference/rope.hpp)
endif()

# headers_that_include(RESULT HEADER): those that include it, themselves or through others.
function(headers_that_include result header)
  set(found)
  set(new ${header})
  while(new)
    set(last ${new})
    set(new)
    foreach(name ${lone})
      foreach(included ${included_by_${name}})
        if(included IN_LIST last AND NOT name IN_LIST found)
          list(APPEND found ${name})
          list(APPEND new ${name})
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

add_custom_target(lone_headers)

# compile_alone(TARGET NAME...): compiles a file for each header.
function(compile_alone target)
  set(files)
  foreach(name ${ARGN})
    if(name IN_LIST first_included)
      continue()
    endif()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/lone_headers/${name}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "#include \"ropewalk/${name}\"\n")
    list(APPEND files ${file})
  endforeach()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${files})
  target_link_libraries(${target} PRIVATE ropewalk_reference)
  target_compile_options(${target} PRIVATE -O0)  # nothing of it runs
  add_dependencies(lone_headers ${target})
endfunction()

foreach(header ${begun})
  if(NOT header IN_LIST lone)
    message(FATAL_ERROR "begun has ${header}; allowed: headers of include/ropewalk")
  endif()
  headers_that_include(group ${header})
  list(REMOVE_ITEM lone ${group})
  string(MAKE_C_IDENTIFIER ${header} target)
  compile_alone(lone_headers_${target} ${group})
  target_precompile_headers(lone_headers_${target} PRIVATE ${PROJECT_SOURCE_DIR}/include/ropewalk/${header})
endforeach()
compile_alone(lone_headers_of_their_own ${lone})
