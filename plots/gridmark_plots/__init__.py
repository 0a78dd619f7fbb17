"""Tables, graphs and the report of Gridmark, drawn from its result files.

Nothing here measures, decides a verdict or compares two samples: those numbers come from the `gridmark`
binary, and this package only lays them out.
"""

import os

# Arrays here are small, and a process that has threads must not be forked (parallel.py).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
