"""Measurements that are run by themselves: `python -m docparse.bench.studies.NAME`."""
