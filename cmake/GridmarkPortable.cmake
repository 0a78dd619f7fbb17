# The target `portable`: a folder with the program, the shared libraries that it needs, and the peers' scripts, for other
# Linux machines that have none of them. Its launcher says which glibc it needs; scripts/build.sh links against an old one.
# The driver's libraries, CUPTI and NVML are never linked.
option(GRIDMARK_PORTABLE "Look for shared libraries beside the program" OFF)
# --disable-new-dtags: an RPATH also serves the libraries' own needs (PAPI's of pfm), a RUNPATH only the program's.
if(GRIDMARK_PORTABLE)
    set_target_properties(gridmark PROPERTIES BUILD_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON 
        LINK_OPTIONS "LINKER:--as-needed;LINKER:--disable-new-dtags")
    add_custom_target(portable
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:gridmark> -DFOLDER=${PROJECT_BINARY_DIR}/gridmark-portable
                -DMACHINE=${CMAKE_SYSTEM_PROCESSOR}
                -P ${PROJECT_SOURCE_DIR}/cmake/CollectLibraries.cmake
        COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/peers
                ${PROJECT_BINARY_DIR}/gridmark-portable/peers
        DEPENDS gridmark
        VERBATIM)
endif()
