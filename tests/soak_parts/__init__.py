"""The parts of `python tests/soak.py`: what is damaged, how a run is watched, and how its results are checked."""
