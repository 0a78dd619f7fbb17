# gridmark_isa_sources(target file.cpp)
#
# Compiles a file of inner loops three times, for SSE2, AVX2 and AVX-512, each in the namespace that GRIDMARK_ISA names.
# Such a file shares no template instance with other files, which would leave its wide version in the baseline program:
# it includes nothing, or headers whose templates it instantiates with types of its own namespace alone.
function(gridmark_isa_sources target source)
    cmake_path(GET source STEM name)
    set(flags_sse2 "")
    set(flags_avx2 -mavx2 -mfma)
    set(flags_avx512 -mavx512f -mavx512vl -mfma -mprefer-vector-width=512)
    foreach(isa sse2 avx2 avx512)
        add_library(${target}_${name}_${isa} OBJECT ${source})
        target_include_directories(${target}_${name}_${isa} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target}_${name}_${isa} PRIVATE GRIDMARK_ISA=${isa})
        target_compile_options(${target}_${name}_${isa} PRIVATE -O3 -fopenmp-simd ${flags_${isa}})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${name}_${isa}>)
    endforeach()
endfunction()
