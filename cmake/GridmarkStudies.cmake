# gridmark_embed(target name file)
#
# Makes gridmark::embedded::<name>, the file's text, in the header "embedded/<name>.hpp": the program needs no data file
# beside it.
function(gridmark_embed target name file)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    set(folder ${PROJECT_BINARY_DIR}/generated)
    file(READ ${file} text)
    file(CONFIGURE OUTPUT ${folder}/embedded/${name}.hpp CONTENT
"#pragma once
namespace gridmark::embedded {
inline constexpr char ${name}[] = R\"gridmark(${text})gridmark\";
}
" @ONLY)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    target_include_directories(${target} PRIVATE ${folder})
endfunction()

# gridmark_studies(target folder)
#
# A static library of the studies in a folder and the list of them, harness::experiments(). A study is a subfolder with a
# study.json: its .cpp files are compiled, study.json is embedded, and the function `harness::Experiment experiment()` of
# `gridmark::<subfolder>` is entered into the list. Its kernels are the library gridmark_<subfolder>_kernels.
function(gridmark_studies target folder)
    add_library(${target} STATIC)
    target_compile_options(${target} PRIVATE ${GRIDMARK_UNTIMED})
    target_link_libraries(${target} PUBLIC gridmark_run PRIVATE OpenMP::OpenMP_CXX)
    file(GLOB studies CONFIGURE_DEPENDS ${folder}/*/study.json)
    set(declarations "")
    set(entries "")
    foreach(study IN LISTS studies)
        cmake_path(GET study PARENT_PATH place)
        cmake_path(GET place FILENAME id)
        file(GLOB sources CONFIGURE_DEPENDS ${place}/*.cpp)
        target_sources(${target} PRIVATE ${sources})
        target_link_libraries(${target} PRIVATE gridmark_${id}_kernels)
        gridmark_embed(${target} ${id}_study ${study})
        string(APPEND declarations "namespace gridmark::${id} { gridmark::harness::Experiment experiment(); }\n")
        string(APPEND entries "        {\"${id}\", gridmark::${id}::experiment()},\n")
    endforeach()
    set(list ${PROJECT_BINARY_DIR}/generated/${target}.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/experiments/experiments.cpp.in ${list} @ONLY)
    target_sources(${target} PRIVATE ${list})
    # By itself, so that a test's program can link the studies and a list of its own.
    set_source_files_properties(${list} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${GRIDMARK_UNITY})
endfunction()
