"""Tables → plotly figures; the only place with plotly."""
