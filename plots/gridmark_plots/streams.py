"""The standard streams: harness/os/streams.hpp for Python."""

import os
import sys


def open_standard_streams():
    """Those of the descriptors 0 to 2 that the caller closed lead nowhere: files do not take their places."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest that is free; writing to standard output fails, so that its loss is seen.
            made = os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)
            os.set_inheritable(made, True)


def print_lines(lines):
    """Why the lines did not arrive on standard output, None if they did."""
    if sys.stdout is None:
        return "it is closed"
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except OSError as error:
        # At its end Python flushes again, and would complain in words of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return error.strerror
    return None
