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
