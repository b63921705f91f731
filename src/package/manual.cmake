# cmake -D PROGRAM=FILE -D FOLDER=FOLDER -P manual.cmake: writes the manual pages ropewalk.1 and ropewalk-COMMAND.1, which the program
# prints itself. Where it cannot run there are none.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${PROGRAM} complete "" OUTPUT_VARIABLE commands RESULT_VARIABLE result ERROR_QUIET)
if(NOT result EQUAL 0)
  message(WARNING "No manual pages: ${PROGRAM} does not run (${result})")
  return()
endif()
string(REGEX REPLACE "\t[^\n]*\n" ";" commands "${commands}")  # each line is a command and its summary

function(write_page page)  # write_page(PAGE [COMMAND])
  execute_process(COMMAND ${PROGRAM} man ${ARGN} OUTPUT_VARIABLE roff COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${FOLDER}/${page}.1 "${roff}")
endfunction()

write_page(ropewalk)
foreach(command ${commands})
  write_page(ropewalk-${command} ${command})
endforeach()
