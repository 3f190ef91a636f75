"""What a measured acceptance is worth at published sizes."""
