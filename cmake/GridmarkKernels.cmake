# gridmark_kernel_library(target SOURCES a.cpp ... KERNELS x.cu y.cu ...)
#
# A static library of kernels. Every .cu file is compiled by g++ for the host executor, through a generated file that
# includes it, and where GRIDMARK_CUDA is on by nvcc for the GPU as well. See kernels/launch/kernel.hpp.
function(gridmark_kernel_library target)
    cmake_parse_arguments(arg "" "" "SOURCES;KERNELS" ${ARGN})
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC gridmark_launch)
    foreach(kernel IN LISTS arg_KERNELS)
        cmake_path(ABSOLUTE_PATH kernel NORMALIZE OUTPUT_VARIABLE path)
        cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        cmake_path(GET kernel STEM name)
        set(host_file ${CMAKE_CURRENT_BINARY_DIR}/${name}.host.cpp)
        file(CONFIGURE OUTPUT ${host_file} CONTENT "#include \"${path}\"\n" @ONLY)
        target_sources(${target} PRIVATE ${host_file})
        # No contraction, so that the host's answer is the same on every machine. The prefix map makes errors name a
        # barrier by its path in the repository.
        set_source_files_properties(${host_file} PROPERTIES
            COMPILE_DEFINITIONS GRIDMARK_HOST_EXECUTOR
            COMPILE_OPTIONS "-ffp-contract=off;-Wno-unknown-pragmas;-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
        # `#pragma unroll` is for nvcc. clang reads it as well, and warns where it cannot follow.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
            set_property(SOURCE ${host_file} APPEND PROPERTY COMPILE_OPTIONS -Wno-pass-failed)
        endif()
        if(GRIDMARK_CUDA)
            target_sources(${target} PRIVATE ${kernel})
            # nvcc writes the number of its process into names of internal linkage, unless it is given another seed.
            if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
                set_source_files_properties(${kernel} PROPERTIES COMPILE_OPTIONS "-frandom-seed=${path}")
            endif()
        endif()
    endforeach()
    if(GRIDMARK_CUDA AND arg_KERNELS)
        # CMake 3.25 ignores CUDA_STANDARD 20 for nvcc 13.
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr>
            # Not in a release: with lines nvcc writes down when each source was last changed, and no two clones agree.
            $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<CONFIG:Release>>>:-lineinfo>)
        # Ten variants for seven architectures: without it the program is three times as large. Drivers read it from 13 on.
        if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
            target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
        endif()
        set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
    endif()
endfunction()
