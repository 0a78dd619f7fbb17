"""`python3 -m gridmark_peers heat_jax` serves one peer; without a word it says which frameworks are here."""

from __future__ import annotations

import sys

from gridmark_peers import frameworks, server

if __name__ == "__main__":
    if len(sys.argv) == 2:
        server.serve(*sys.argv[1].rsplit("_", 1))
    else:
        frameworks.tell()
