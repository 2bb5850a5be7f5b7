"""What the browser draws itself: values for the pages' own scripts."""
