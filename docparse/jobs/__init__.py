"""How a run is carried out: worker processes, finished pages on disk, the journal."""
