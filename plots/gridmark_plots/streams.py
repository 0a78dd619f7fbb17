"""The standard streams and the end of a command: harness/os/streams.hpp for Python."""

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
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", closefd=False)


def _lost():
    """Why what was printed did not arrive on standard output, None if it did."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # At its end Python flushes again, and would complain in words of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return error.strerror
    return None


def run(program, body):
    """The exit code of a command: its body's, 1 where output was lost, 2 where a file was refused. What the
    system refuses is one line, not a stack of calls."""
    open_standard_streams()
    trouble, code = None, 0
    try:
        code = body()
    except OSError as error:
        named = error.filename is not None  # else a file that was open took no more
        trouble, code = (f"{error.filename}: {error.strerror}", 2) if named else (error.strerror, 1)
    lost = _lost()
    if lost is not None:
        trouble, code = f"cannot write to standard output: {lost}", 1
    if trouble is not None and sys.stderr is not None:
        print(f"{program}: {trouble}", file=sys.stderr)
    return code
