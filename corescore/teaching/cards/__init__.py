"""What the metric cards show beside the words: the worked example, empty cases, known flaws."""
