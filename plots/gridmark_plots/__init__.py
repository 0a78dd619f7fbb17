"""Tables, graphs and the report of Gridmark, drawn from its result files.

Nothing here measures, decides a verdict or compares two samples: those numbers come from the `gridmark`
binary, and this package only lays them out.
"""
