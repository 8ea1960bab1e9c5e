# One CMake target a module, so that the link graph is the table in docs/architecture.md.

add_library(shakedown_flags INTERFACE)
target_compile_options(shakedown_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SHAKEDOWN_WERROR}>>:-Werror>)
# False alarms of g++ inside std::string (GCC bug 105651, mended in 14) and around std::optional (GCC bug 80635).
target_compile_options(shakedown_flags INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict -Wno-maybe-uninitialized>)
if(SHAKEDOWN_SANITIZE)
  target_compile_options(shakedown_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SHAKEDOWN_SANITIZE} -fno-omit-frame-pointer>)
  target_link_options(shakedown_flags INTERFACE -fsanitize=${SHAKEDOWN_SANITIZE})
endif()

# shakedown_module(NAME SOURCES file... [DEPENDS module...] [PRIVATE target...] [PUBLIC target...])
function(shakedown_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE;PUBLIC" ${ARGN})
  list(TRANSFORM arg_DEPENDS PREPEND shakedown::)
  if(arg_SOURCES)
    add_library(shakedown_${name} STATIC ${arg_SOURCES})
    target_include_directories(shakedown_${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(shakedown_${name} PUBLIC ${arg_DEPENDS} ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} shakedown_flags)
  else()
    add_library(shakedown_${name} INTERFACE)
    target_include_directories(shakedown_${name} INTERFACE "${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(shakedown_${name} INTERFACE ${arg_DEPENDS} ${arg_PUBLIC})
  endif()
  add_library(shakedown::${name} ALIAS shakedown_${name})
endfunction()

# shakedown_backend(NAME SOURCES file... LINK target...): a module that tools open at run time, lib/shakedown/libshakedown_NAME.so.
function(shakedown_backend name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(shakedown_${name} MODULE ${arg_SOURCES})
  target_include_directories(shakedown_${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(shakedown_${name} PRIVATE ${arg_LINK} shakedown_flags)
  # RUNPATH, not RPATH: the library that LD_LIBRARY_PATH points to (PyTorch's NCCL, say) comes first.
  target_link_options(shakedown_${name} PRIVATE -Wl,--enable-new-dtags -Wl,--no-undefined)
  set_target_properties(shakedown_${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/shakedown")
  install(TARGETS shakedown_${name} LIBRARY DESTINATION lib/shakedown)
endfunction()
