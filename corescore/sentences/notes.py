"""Sentences about notes on errors, and how far two annotators agree."""

from collections.abc import Sequence

from corescore.analysis.error_table.agreement import Agreement
from corescore.analysis.error_table.notes import BETWEEN_TAGS, Note
from corescore.wording import counted, share, written


def seen(n_seen: int, n_tagged: int, n_all: int) -> str:
    """How many of a system's mentions with errors have been seen and tagged."""
    if not n_seen:
        return "No mention has a note yet. Select one, and tag it or write about it."
    tagged = f"{n_tagged:,} of them tagged" if n_tagged else "none of them tagged"
    return f"{n_seen:,} of {counted(n_all)} with errors seen, {tagged}."


def changed_meanwhile(theirs: Note | None, new: Note | None) -> str:
    """Someone else changed a note while its boxes were open.

    theirs  their note; None if they removed it
    new     the note that is saved now; None if it is removed
    """
    if theirs is None:
        return "Someone else removed this note in the meantime. Your change is saved."
    tags = f"tags “{BETWEEN_TAGS.join(theirs.tags)}”" if theirs.tags else "no tags"
    text = f"text “{theirs.text}”" if theirs.text else "no text"
    said = f"Someone else changed this note in the meantime ({tags}, {text})."
    if new is None:
        return f"{said} It is removed now."
    if new.text != theirs.text:
        return f"{said} Your text replaces theirs; the tags of both are kept."
    return f"{said} Both changes are kept."


def agreement(found: Agreement, other: str) -> str:
    """How two annotators agree; `other` is what the second one's file is called."""
    if not found.rows:
        return f"No mention has been seen both here and in {other}: there is nothing to compare."
    alone = f"{found.only_first:,} more only here, {found.only_second:,} only in {other}"
    said = f"{counted(found.rows)} with errors seen both here and in {other} ({alone})."
    if found.kappa != found.kappa:
        return f"{said} Both give every mention the same tags: Cohen’s κ is not defined."
    return f"{said} Cohen’s κ of the sets of tags is {written(found.kappa)}."


def agreement_rows(found: Agreement) -> list[Sequence[str]]:
    """A row for each tag: how many mentions each tags with it, how often they agree, and κ."""
    table = found.table
    return [
        (
            str(tag),
            *(f"{n:,}" for n in counts),
            share(agreed) if agreed == agreed else "–",
            written(kappa),
        )
        for tag, *counts, agreed, kappa in table.itertuples(index=False, name=None)
    ]


def imported(n: int, n_replaced: int) -> str:
    """What importing a file of notes did."""
    replaced = f"; {counted(n_replaced, 'note')} of yours replaced" if n_replaced else ""
    return f"{counted(n, 'note')} imported{replaced}."
