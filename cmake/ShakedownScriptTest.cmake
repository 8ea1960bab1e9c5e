# shakedown_script_test(NAME LABEL label SCRIPT file [TIMEOUT seconds] [ALONE]): a test that is a Python or shell script. It finds the built
# tools in SHAKEDOWN_BIN, exits 77 (with the reason) to be skipped, and runs with no other test beside it when ALONE.
include_guard()
find_package(Python3 COMPONENTS Interpreter REQUIRED)

function(shakedown_script_test name)
  cmake_parse_arguments(arg "ALONE" "LABEL;SCRIPT;TIMEOUT" "" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(interpreter "")
  if(arg_SCRIPT MATCHES "\\.py$")
    set(interpreter "${Python3_EXECUTABLE}")
  endif()
  add_test(NAME ${name} COMMAND ${interpreter} "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT}")
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RUN_SERIAL ${arg_ALONE}
    ENVIRONMENT "SHAKEDOWN_BIN=${PROJECT_BINARY_DIR}/bin;SHAKEDOWN_MPI=${SHAKEDOWN_MPI};PYTHONDONTWRITEBYTECODE=1")
endfunction()
