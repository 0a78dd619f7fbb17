# Makes the portable FOLDER: lib/ with PROGRAM and the shared libraries that it needs, less those of glibc itself, all
# stripped, and a launcher that says what they need of another machine. The needs are read from the files: the newest
# version of glibc that any of them asks for, and the processor that they are built for (MACHINE, as uname names it).
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/lib)
# The loader's own answer: CMake's does not know that an RPATH also serves the libraries' needs.
execute_process(COMMAND ldd ${PROGRAM} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n\t ]+ => not found" missing "${needed}")
if(missing)
    message(FATAL_ERROR "portable: ${missing}")
endif()
string(REGEX MATCHALL "=> /[^\n ]+" libraries "${needed}")
list(TRANSFORM libraries REPLACE "^=> " "")
list(FILTER libraries EXCLUDE REGEX "/(ld-linux[^/]*|lib(c|m|mvec|dl|rt|pthread|resolv)\\.so[^/]*)$")
set(glibc 0)
foreach(file IN LISTS PROGRAM libraries)
    cmake_path(GET file FILENAME name)
    file(REAL_PATH ${file} real)
    set(copy ${FOLDER}/lib/${name})
    file(COPY_FILE ${real} ${copy})
    execute_process(COMMAND strip --strip-unneeded ${copy} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND objdump -T ${copy} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "GLIBC_[0-9.]+" versions "${symbols}")
    list(REMOVE_DUPLICATES versions)
    foreach(version IN LISTS versions)
        string(REPLACE "GLIBC_" "" version ${version})
        if(version VERSION_GREATER glibc)
            set(glibc ${version})
        endif()
    endforeach()
endforeach()
# The linker may have been told of the build's own folders as well.
file(RPATH_SET FILE ${FOLDER}/lib/gridmark NEW_RPATH "$ORIGIN")
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" glibc ${glibc})
set(glibc_major ${CMAKE_MATCH_1})
set(glibc_minor ${CMAKE_MATCH_2})
file(CONFIGURE OUTPUT ${FOLDER}/gridmark @ONLY CONTENT [=[#!/bin/sh
# Gridmark's portable folder: says what the program in lib/ needs where the system's loader would only fail, then starts it.
needs="this folder needs Linux on @MACHINE@ with glibc @glibc@ or later"
refuse() {
    echo "gridmark: $needs; $1" >&2
    exit 2
}
machine=$(uname -m)
[ "$machine" = @MACHINE@ ] || refuse "this processor is $machine"
# "glibc 2.36"; other C libraries have no such name, or no getconf.
library=$(getconf GNU_LIBC_VERSION 2>/dev/null) || library=
case $library in
    "glibc "[0-9]*.[0-9]*) ;;
    *) refuse "this system's C library is another" ;;
esac
version=${library#glibc }
major=${version%%.*}
minor=${version#*.}
minor=${minor%%[!0-9]*}
if [ "$major" -lt @glibc_major@ ] || { [ "$major" -eq @glibc_major@ ] && [ "$minor" -lt @glibc_minor@ ]; }; then
    refuse "this system has $library"
fi
exec "$(dirname "$(readlink -f "$0")")/lib/gridmark" "$@"
]=])
file(CHMOD ${FOLDER}/gridmark PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
message(STATUS "portable: ${FOLDER} needs ${MACHINE} and glibc ${glibc}")
