"""How the tiny model is trained: pages, curriculum, trainer, evaluation, export. Not installed with docparse."""
