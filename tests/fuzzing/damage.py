"""Damage to texts: pieces left out, doubled, swapped or replaced by hostile ones."""

HOSTILE = (
    *(
        "",
        "\0",
        "\r",
        "\n",
        "\t",
        "\v",
        "\u2028",
        "\u3000",
        "\ufeff",
        "\u202e",
        "🙂",
        "é",
        "\x1b[2J",
    ),
    *(f"\n\n{space}\t\n" for space in ("\f", "\u00a0", "\u3000")),  # rows of white space
    *("0", "-1", "1e400", "inf", "nan", "9" * 30, "1" * 5000, "٣", "½", "true", "null"),
    *("(" * 300, "[" * 300, "{" * 300, "<a>" * 300, "\\", '"', "'", "/", "|", ":", ";", "=", "%"),
    *("\\ud800", "\\u0000", "&lt;", "<!DOCTYPE x [", "__proto__", "../../etc/passwd", "\x1b[2J"),
)
BYTES = (b"\xff", b"\xed\xa0\x80", b"\x1f\x8b", b"PK\x03\x04", b"\xef\xbb\xbf", b"\xc3")


def damaged(text, rng):
    """A text after one to four changes."""
    for _ in range(rng.randint(1, 4)):
        text = _changed(text, rng)
    return text


def damaged_bytes(data, rng):
    """The same for bytes, some of which are no text then."""
    text = damaged(data.decode(), rng).encode()
    if rng.random() < 0.1:
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(BYTES) + text[at:]
    return text


def _changed(text, rng):
    start, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    short = min(end, start + rng.randint(1, 8))
    lines = text.split("\n")
    rng.shuffle(lines)
    made = (
        text[:end],
        text[:start] + text[short:],
        text[:end] + text[start:short] * 3 + text[end:],
        text[:start] + text[short:end] + text[start:short] + text[end:],
        text[:start] + rng.choice(HOSTILE) + text[start:],
        text[:start] + rng.choice(HOSTILE) + text[short:],
        "\n".join(lines),
    )
    return rng.choice(made)
