# What comes from the system. scripts/install.sh installs all of it on Debian and Ubuntu.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(benchmark REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_path(GRIDMARK_VALIJSON_INCLUDE valijson/validator.hpp REQUIRED)

# HDF5's static library: the shared one brings forty others along.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
find_library(GRIDMARK_HDF5_STATIC libhdf5.a PATH_SUFFIXES hdf5/serial)
find_library(GRIDMARK_SZ_STATIC libsz.a)
find_library(GRIDMARK_AEC_STATIC libaec.a)
add_library(gridmark_hdf5 INTERFACE)
target_include_directories(gridmark_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
if(GRIDMARK_HDF5_STATIC AND GRIDMARK_SZ_STATIC AND GRIDMARK_AEC_STATIC)
    find_package(ZLIB REQUIRED)
    target_link_libraries(gridmark_hdf5 INTERFACE ${GRIDMARK_HDF5_STATIC} ${GRIDMARK_SZ_STATIC} ${GRIDMARK_AEC_STATIC}
        ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
else()
    target_link_libraries(gridmark_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
endif()
