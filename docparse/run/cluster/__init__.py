"""Many machines through Ray: the workers of a run as actors on a cluster."""
