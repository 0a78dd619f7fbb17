"""Figures: each kind gathers its data, then draws it once wide and once for a narrow screen."""
