"""What a class needs: the editable toy, pitfalls, the lesson, metric cards."""
