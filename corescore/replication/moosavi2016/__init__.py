"""Moosavi & Strube 2016, LEA."""
