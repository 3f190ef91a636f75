"""The pages of a bench, and what is written for the scorers of others."""
