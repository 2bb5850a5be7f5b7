"""What results show of themselves in a notebook: HTML that loads nothing."""
