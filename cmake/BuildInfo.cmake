# The commit, compilers and flags of a build, as a header.
#
# Used in two ways: include()d, it gives gridmark_build_info(target), which adds the generated header to a target; run
# as a script (cmake -P) at each build, it asks git again and rewrites the header only when something changed, so that
# nothing is compiled or linked anew for an unchanged commit. Without git, or from a tarball, the commit is empty.

if(CMAKE_SCRIPT_MODE_FILE)
  set(GRIDMARK_COMMIT "")
  set(GRIDMARK_DIRTY -1)
  find_program(GIT git)
  # A tarball unpacked inside somebody else's repository must not report that repository's commit.
  if(GIT AND EXISTS "${SOURCE}/.git")
    execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(GRIDMARK_COMMIT "${head}")
      # Saved results and untracked files are no part of what is built. --no-optional-locks: a build must not disturb
      # a git command that runs beside it.
      execute_process(COMMAND "${GIT}" --no-optional-locks -C "${SOURCE}" status --porcelain --untracked-files=no
                              -- . ":(exclude)results"
                      OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
      if(NOT failed AND changes STREQUAL "")
        set(GRIDMARK_DIRTY 0)
      elseif(NOT failed)
        set(GRIDMARK_DIRTY 1)
      endif()
    endif()
  endif()
  include("${SETTINGS}")
  configure_file("${TEMPLATE}" "${HEADER}" @ONLY)  # leaves an unchanged file alone
  return()
endif()

# Flags as text for a C string literal, with the folders of this machine taken out.
function(gridmark_plain_text variable)
  set(text "${ARGN}")
  string(REPLACE ";" " " text "${text}")
  string(REPLACE "${PROJECT_SOURCE_DIR}" "." text "${text}")
  string(REGEX REPLACE "[\"\\]" "" text "${text}")
  string(REGEX REPLACE " +" " " text "${text}")
  string(STRIP "${text}" text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(GRIDMARK_BUILD_INFO_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# Lets sources of `target` include "harness/machine/build_info.hpp". Flags added to single targets do not show: what
# counts for a measurement is named by the variants themselves.
function(gridmark_build_info target)
  set(folder "${PROJECT_BINARY_DIR}/generated")
  set(header "${folder}/harness/machine/build_info.hpp")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  gridmark_plain_text(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  gridmark_plain_text(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  if(CMAKE_CUDA_COMPILER)
    gridmark_plain_text(nvcc "${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}")
    gridmark_plain_text(cuda_flags "${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}}")
    set(architectures "${CMAKE_CUDA_ARCHITECTURES}")
    # A word of CMake's own is written down as what it stood for: the program compares it with the GPU that it sees.
    if(architectures MATCHES "^(native|all|all-major)$")
        string(TOUPPER "${architectures}" word)
        string(REPLACE "-" "_" word "${word}")
        set(architectures "${CMAKE_CUDA_ARCHITECTURES_${word}}")
    endif()
    gridmark_plain_text(architectures "${architectures}")
  endif()
  set(settings "${folder}/build_info_settings.cmake")
  file(CONFIGURE OUTPUT "${settings}" @ONLY CONTENT "
set(GRIDMARK_COMPILER \"@compiler@\")
set(GRIDMARK_NVCC \"@nvcc@\")
set(GRIDMARK_FLAGS \"@flags@\")
set(GRIDMARK_CUDA_FLAGS \"@cuda_flags@\")
set(GRIDMARK_BUILD_TYPE \"@CMAKE_BUILD_TYPE@\")
set(GRIDMARK_CUDA_ARCHITECTURES \"@architectures@\")
")
  add_custom_target(${target}_build_info
    COMMAND "${CMAKE_COMMAND}" -DSOURCE=${PROJECT_SOURCE_DIR} -DSETTINGS=${settings} -DHEADER=${header}
            -DTEMPLATE=${PROJECT_SOURCE_DIR}/harness/machine/build_info.hpp.in -P "${GRIDMARK_BUILD_INFO_SCRIPT}"
    BYPRODUCTS "${header}"
    COMMENT "" VERBATIM)
  add_dependencies(${target} ${target}_build_info)
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()
