"""What a group of lines is: heading, item, caption, note, running header."""
