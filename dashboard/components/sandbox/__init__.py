"""A toy as boxes of mentions that can be moved by pointer and by keyboard."""
