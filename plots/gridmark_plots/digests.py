"""Checksums of what was written, so that two machines can show that they drew the same."""

import hashlib

NAME = "SHA256SUMS"


def listing(output, folders):
    """The text of a file for `sha256sum --check`: every file written below the folders."""
    names = sorted(path.relative_to(output.root).as_posix() for path in output.written)
    lines = [
        f"{hashlib.sha256((output.root / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names
        if name.split("/")[0] in folders
    ]
    return "".join(lines)
