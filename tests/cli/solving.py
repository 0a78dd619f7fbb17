"""`gridmark solve` as the studies' tests call it."""

from pathlib import Path

import h5py


class Solving:
    """One study's `solve`, into one file below the test's folder; CUDA variants run on the host."""

    def __init__(self, study):
        self.study = study
        self.file = f"{study}.h5"

    def ask(self, program, folder, variant, *settings, start=()):
        """The completed process; `start` are words such as --input."""
        on = ["--on", "host"] if variant.startswith("gpu_") else []
        words = [word for setting in settings for word in ("--set", setting)]
        out = Path(folder) / self.file
        return program("solve", self.study, "--variant", variant, *on, *words, *start, "--out", out)

    def __call__(self, program, folder, variant, *settings, start=()):
        """The open file of a run that went well."""
        done = self.ask(program, folder, variant, *settings, start=start)
        assert done.returncode == 0, done.stderr
        return h5py.File(Path(folder) / self.file)


def input_writer(folder, good):
    """Writes the file of `--input`: these datasets, or what a test puts in their place (None: none).

    Gives the words of the command line; `good` holds the datasets.
    """

    def write(**changes):
        with h5py.File(folder / "my.h5", "w") as file:
            for name, values in {**good, **changes}.items():
                if values is not None:
                    file[name] = values
        return ["--input", folder / "my.h5"]

    write.good = good
    return write
