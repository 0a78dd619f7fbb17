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
        target_compile_options(${target}_${name}_${isa} PRIVATE -O3 -fopenmp-simd ${flags})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${name}_${isa}>)
    endforeach()
endfunction()
