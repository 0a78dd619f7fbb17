# The target `portable`: a folder with the program, the shared libraries that it needs beside it, and the peers' scripts,
# for another x86-64 Linux that has none of them (glibc 2.36 or later). The driver's libraries, CUPTI and NVML are never linked.
option(GRIDMARK_PORTABLE "Look for shared libraries beside the program" OFF)
# --disable-new-dtags: an RPATH also serves the libraries' own needs (PAPI's of pfm), a RUNPATH only the program's.
if(GRIDMARK_PORTABLE)
    set_target_properties(gridmark PROPERTIES BUILD_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON 
        LINK_OPTIONS "LINKER:--as-needed;LINKER:--disable-new-dtags")
    add_custom_target(portable
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:gridmark> -DFOLDER=${PROJECT_BINARY_DIR}/gridmark-portable
                -P ${PROJECT_SOURCE_DIR}/cmake/CollectLibraries.cmake
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/peers
                ${PROJECT_BINARY_DIR}/gridmark-portable/peers
        DEPENDS gridmark
        VERBATIM)
endif()
