"""The scorers: distances, and the evaluations of two public benchmarks."""
