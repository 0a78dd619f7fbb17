"""The one exception that a user gets to see."""


class InputError(Exception):
    """Bad input, told in one line that names the file, the key and the reason."""

    def __init__(self, file, key, reason):
        where = f"{file}: {key}: " if key else f"{file}: "
        super().__init__(where + " ".join(str(reason).split()))
        self._parts = (file, key, reason)

    def __reduce__(self):
        """Made anew from its parts where another process raised it."""
        return InputError, self._parts
