"""The colours of charts; those of metrics are in their records. No plotly here."""

INK = "#808692"  # of marks that belong to no metric
ACCENT = "#5268D6"  # of selected systems; a metric's colour would mean the metric
KEY, RESPONSE = "rgb(63, 110, 181)", INK
CORRECT, MISSING, WRONG = "#009E73", "#D55E00", "#C26A97"
CLEAR = "rgba(128, 134, 146, 0)"

Scale = list[tuple[float, str]]


def faint(colour: str, opacity: float) -> str:
    """A colour such as "#0072B2" that lets through what is behind it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Translucent, so that the numbers written over them can be read in both themes.
FULL = faint(ACCENT, 0.62)
SHADE: Scale = [(0, faint(ACCENT, 0)), (1, FULL)]
TWO_SHADES: Scale = [(0, faint(MISSING, 0.6)), (0.5, CLEAR), (1, FULL)]
