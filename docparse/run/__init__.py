"""How documents are converted: inputs in, pages read by worker processes, outputs written; in the order of reading:

- `convert` is a whole run; `plan` decides what its settings leave open, `workers` who does the work.
- `inputs/` makes documents of what was typed, `outputs` says where their files go.
- `loop` hands out tasks and takes in what has ended; `document` is one document on its way, `attempts` its pages.
- `tasks` are what a worker is asked to do: open, read a page; `output_writer` to write, `model_service` with a model.
- `pool` has the workers, `process` is one seen from here, `worker` its inside, `capacity` its limits.
- `store` keeps finished pages on disk, `journal` a line for each; `leftovers` clears away what killed runs left.
- `result` is what a run says of itself, `context` what its documents share; `cluster/` has the workers of `--ray`.
"""
