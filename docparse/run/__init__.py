"""How a run is carried out: inputs, worker processes here or on Ray, finished pages on disk, outputs, the journal."""
