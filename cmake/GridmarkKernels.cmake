# gridmark_kernel_library(target SOURCES a.cpp ... KERNELS x.cu y.cu ...)
#
# A static library of kernels. Every .cu file is compiled by g++ for the host executor, through a generated file that
# includes it, and where GRIDMARK_CUDA is on by nvcc for the GPU as well. GRIDMARK_LINT: one file includes them all; but
# each keeps constants of its own, so no program is made of that. See kernels/launch/kernel.hpp.
function(gridmark_kernel_library target)
    cmake_parse_arguments(arg "" "" "SOURCES;KERNELS" ${ARGN})
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC gridmark_launch)
    foreach(kernel IN LISTS arg_KERNELS)
        cmake_path(ABSOLUTE_PATH kernel NORMALIZE OUTPUT_VARIABLE path)
        cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        cmake_path(GET kernel STEM name)
        if(GRIDMARK_LINT)
            set(name ${target})
        else()
            set(includes "")
        endif()
        set(host_file ${CMAKE_CURRENT_BINARY_DIR}/${name}.host.cpp)
        string(APPEND includes "#include \"${path}\"\n")
        file(CONFIGURE OUTPUT ${host_file} CONTENT "${includes}" @ONLY)
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

# gridmark_isa_sources(target file.cpp [UNFUSED])
#
# Compiles a file of inner loops once for each instruction set of kernels/isa.hpp, each in the namespace that GRIDMARK_ISA
# names: SSE2, AVX2 and AVX-512 on x86-64, NEON and SVE on aarch64. Such a file shares no template instance with other
# files, which would leave its wide version in the baseline program: it includes nothing, or headers whose templates it
# instantiates with types of its own namespace alone. UNFUSED: a product and a sum are rounded each by itself.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(GRIDMARK_ISAS sse2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(GRIDMARK_ISAS neon sve)
    # As on x86-64's baseline, a product and a sum are two roundings but where a file asks for one: the host executor,
    # the references and the plain loops then agree to the last bit.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
else()
    message(FATAL_ERROR "Gridmark is written for x86-64 and aarch64 processors; this is ${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(GRIDMARK_FLAGS_sse2 "")
set(GRIDMARK_FLAGS_avx2 -mavx2 -mfma)
set(GRIDMARK_FLAGS_avx512 -mavx512f -mavx512vl -mfma -mprefer-vector-width=512)
set(GRIDMARK_FLAGS_neon -ffp-contract=fast)
set(GRIDMARK_FLAGS_sve -march=armv8.2-a+sve -ffp-contract=fast)

# Nobody times a sanitizer's build, and -O3 takes it longer; below -O2, g++ fuses no multiply-add.
set(GRIDMARK_LOOPS -O3)
if(GRIDMARK_SANITIZE)
    set(GRIDMARK_LOOPS -O2)
endif()

function(gridmark_isa_sources target source)
    cmake_path(GET source STEM name)
    foreach(isa IN LISTS GRIDMARK_ISAS)
        add_library(${target}_${name}_${isa} OBJECT ${source})
        target_include_directories(${target}_${name}_${isa} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target}_${name}_${isa} PRIVATE GRIDMARK_ISA=${isa})
        set(flags ${GRIDMARK_FLAGS_${isa}})
        if("UNFUSED" IN_LIST ARGN)
            # In place of the other one, not after it: CMake keeps only the first of two equal options, the project's.
            list(REMOVE_ITEM flags -ffp-contract=fast)
            list(APPEND flags -ffp-contract=off)
        endif()
        target_compile_options(${target}_${name}_${isa} PRIVATE ${GRIDMARK_LOOPS} -fopenmp-simd ${flags})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${name}_${isa}>)
    endforeach()
endfunction()

# gridmark_study_kernels(study [ISA a.cpp ...] [UNFUSED])
#
# The library gridmark_<study>_kernels of all .cpp and .cu files of the folder; ISA: those of inner loops. The variants that
# the files end with, GRIDMARK_INSTANTIATE_VARIANT(name), become the study's gpu_variants<T>(), in the order of `variants` in
# its study.json: a .cu file's for both executors, a .cpp file's for the host alone, before the others.
function(gridmark_study_kernels study)
    cmake_parse_arguments(arg "UNFUSED" "" "ISA" ${ARGN})
    set(target gridmark_${study}_kernels)
    set(unfused "")
    if(arg_UNFUSED)
        set(unfused UNFUSED)
    endif()
    file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
    list(REMOVE_ITEM sources ${arg_ISA})
    file(GLOB kernels RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cu)
    gridmark_variant_list(${study} list "${sources}" "${kernels}")
    gridmark_kernel_library(${target} SOURCES ${sources} ${list} KERNELS ${kernels})
    foreach(source IN LISTS arg_ISA)
        gridmark_isa_sources(${target} ${source} ${unfused})
    endforeach()
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
endfunction()

# Writes the list of a study's variants, if its files have any: `list` is its file then.
function(gridmark_variant_list study list sources kernels)
    foreach(kind IN ITEMS sources kernels)
        set(${kind}_variants "")
        foreach(file IN LISTS ${kind})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
            file(STRINGS ${file} lines REGEX "^GRIDMARK_INSTANTIATE_VARIANT")
            foreach(line IN LISTS lines)
                string(REGEX REPLACE ".*\\((.*)\\).*" "\\1" variant "${line}")
                list(APPEND ${kind}_variants ${variant})
            endforeach()
        endforeach()
    endforeach()
    set(${list} "" PARENT_SCOPE)
    if(NOT sources_variants AND NOT kernels_variants)
        return()
    endif()
    file(READ ${PROJECT_SOURCE_DIR}/experiments/${study}/study.json text)
    # Not by string(JSON): that sorts an object's members.
    string(FIND "${text}" "\"variants\": {" at)
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}" "\n  }" end)
    string(SUBSTRING "${text}" 0 ${end} text)
    set(cuda_names "")
    foreach(name IN LISTS kernels_variants)
        string(FIND "${text}" "\n    \"${name}\": " at)
        if(at EQUAL -1)
            message(FATAL_ERROR "${name} has no line among the variants of experiments/${study}/study.json")
        endif()
        list(APPEND cuda_names "${at} ${name}")
    endforeach()
    list(SORT cuda_names COMPARE NATURAL)
    list(TRANSFORM cuda_names REPLACE "^[0-9]+ " "")
    set(host_names ${sources_variants} ${cuda_names})
    foreach(executor IN ITEMS host cuda)
        set(${executor}_declarations "")
        set(${executor}_entries "")
        foreach(name IN LISTS ${executor}_names)
            string(APPEND ${executor}_declarations "template <class T>\nGpuVariant<T> ${name}();\n")
            string(APPEND ${executor}_entries "\n        ${name}<T>(),")
        endforeach()
    endforeach()
    configure_file(${PROJECT_SOURCE_DIR}/kernels/launch/gpu_variants.cpp.in gpu_variants.cpp @ONLY)
    set(${list} ${CMAKE_CURRENT_BINARY_DIR}/gpu_variants.cpp PARENT_SCOPE)
endfunction()
