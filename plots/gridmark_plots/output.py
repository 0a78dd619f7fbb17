"""Writing files: below one directory, whole or not at all."""

from pathlib import Path

from .errors import InputError


class Output:
    """A directory that remembers what was written to it."""

    def __init__(self, root):
        self.root = Path(root)
        self.written = []

    def write(self, name, text):
        """Write a file atomically and remember its path."""
        path = self.root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(path.name + ".part")
            partial.write_text(text, encoding="utf-8", newline="\n")
            partial.replace(path)
        except OSError as error:
            raise InputError(path, None, error.strerror or error) from None
        self.written.append(path)
        return path
