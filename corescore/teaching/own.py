"""Cards of one's own: a file of them, and one as the part of a link.

A file is a JSON object `{"cards": [...]}`. Each card has the texts `title`, `question` and
`reason`; `key`, `a` and `b` in brace notation, one document per line and a mention one letter; and
`criterion`, one of `corescore.teaching.criteria.CRITERIA`; and, if it has one, `sentence`, with its
mentions in brackets. A link has one card as its JSON
in base64.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.inline import read_notation
from corescore.corpus.packed import bytes_up_to_a_limit
from corescore.corpus.problems import InputError, Problem, refusal, refuse
from corescore.teaching.criteria import CRITERIA, Output, Pitfall
from corescore.teaching.toy import MOST_MENTIONS, Toy, read_sentence

GROUP = "Cards of your own"
SOURCE = "A card of your own"
LONGEST = 1000  # letters of a text
_SIDES = ("key", "a", "b")
_OPTIONAL = ("criterion", "sentence")


@dataclass(frozen=True)
class OwnCard:
    """A card as it stands in a file. Raises InputError for a text that is empty or over 1,000
    letters, a side that cannot be read, and an unknown criterion."""

    title: str
    question: str
    reason: str
    key: str
    a: str
    b: str
    criterion: str = "links"
    sentence: str = ""

    def __post_init__(self) -> None:
        read_sentence(self.sentence)
        refuse(_problems(self))

    @property
    def id(self) -> str:
        """Made of all that the card says."""
        return f"own-{sha256(_as_json(self).encode()).hexdigest()[:10]}"

    @property
    def pitfall(self) -> Pitfall:
        """The card as Pitfalls shows it; it claims nothing beyond its reason."""
        return Pitfall(
            id=self.id,
            title=self.title,
            group=GROUP,
            question=self.question,
            key=self.key,
            a=Output(self.a),
            b=Output(self.b),
            criterion=CRITERIA[self.criterion],
            about=(),
            why=lambda _: self.reason,
            claims=(),
            source=SOURCE,
            text=self.sentence,
        )


NAMES = tuple(entry.name for entry in fields(OwnCard))


def of_toys(before: Toy, after: Toy, *, texts: Mapping[str, str], criterion: str) -> OwnCard:
    """A card with the key of `after`, and the responses of both as A and B.

    Raises InputError where a mention has a name of several letters, or a text is empty.
    """
    long = next((name for toy in (before, after) for name in toy.mentions if len(name) > 1), "")
    if long:
        raise refusal("the card", f"the mention '{long}'", *_ONE_LETTER)
    sides = after.key_notation, before.response_notation, after.response_notation
    return OwnCard(
        **texts, **dict(zip(_SIDES, sides, strict=True)), criterion=criterion, sentence=after.text
    )


# What is wrong with a card ------------------------------------------------------------------------

_ONE_LETTER = ("mentions of one letter", "Rename it.")


def _problems(card: OwnCard) -> Iterator[Problem]:
    for name in ("title", "question", "reason"):
        text = getattr(card, name)
        if not text.strip() or len(text) > LONGEST:
            what = f"{len(text):,} letters" if text.strip() else "nothing"
            yield Problem(f"the {name}", 0, what, f"1 to {LONGEST:,} letters", "Change it.")
    if card.criterion not in CRITERIA:
        what, expected = f"the criterion '{card.criterion[:40]}'", f"one of {', '.join(CRITERIA)}"
        yield Problem("the card", 0, what, expected, "Choose one of these.")
    yield from _side_problems(card)


def _side_problems(card: OwnCard) -> Iterator[Problem]:
    sides: list[Corpus] = []
    for name in _SIDES:
        try:
            sides.append(read_notation(getattr(card, name), f"the side '{name}'"))
        except InputError as error:
            yield from error.problems
    if len(sides) < len(_SIDES):
        return
    if len({len(side) for side in sides}) > 1:
        what = ", ".join(f"{name}: {len(side)}" for name, side in zip(_SIDES, sides, strict=True))
        yield Problem("the card", 0, f"documents of {what}", "as many on each side", "Add lines.")
        return
    for documents in zip(*sides, strict=True):
        names = {word for document in documents for word in document.words}
        if long := next((name for name in sorted(names) if len(name) > 1), ""):
            yield Problem("the card", 0, f"the mention '{long[:40]}'", *_ONE_LETTER)
        if len(names) > MOST_MENTIONS:
            what, expected = f"{len(names)} mentions", f"at most {MOST_MENTIONS} in a document"
            yield Problem("the card", 0, what, expected, "Leave some out.")


# Files and links ----------------------------------------------------------------------------------


def cards_text(cards: Iterable[OwnCard]) -> str:
    """The text of a file of cards."""
    made = {"cards": [_fields(card) for card in cards]}
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def read_cards(path: str) -> tuple[OwnCard, ...]:
    """The cards of a file. Raises InputError with every problem, each with its card."""
    try:
        made = json.loads(bytes_up_to_a_limit(Path(path)).decode())
    except OSError as error:
        what = error.strerror or "no such file"
        raise refusal(path, what, "a file of cards", "Check the path.") from None
    except UnicodeDecodeError:
        raise refusal(path, "no UTF-8", *_A_FILE) from None
    except json.JSONDecodeError as error:
        raise refusal(path, error.msg, *_A_FILE, error.lineno) from None
    except (ValueError, RecursionError):  # a number of too many digits, brackets in brackets
        raise refusal(path, "JSON that cannot be read", *_A_FILE) from None
    listed = made.get("cards") if isinstance(made, dict) else None
    if not isinstance(listed, list) or not listed:
        raise refusal(path, "no list 'cards'", *_A_FILE)
    return tuple(_each(path, listed))


_A_FILE = ('JSON: {"cards": [{"title": …}]}', "Download one from the sandbox to see how it is.")


def _each(path: str, listed: Iterable[object]) -> Iterator[OwnCard]:
    problems: list[Problem] = []
    for number, fields_of in enumerate(listed, 1):
        try:
            yield _card(fields_of)
        except InputError as error:
            problems += (
                Problem(
                    f"{path}, card {number}, {one.file}", 0, one.found, one.expected, one.advice
                )
                for one in error.problems
            )
    refuse(problems)


def _card(made: object) -> OwnCard:
    if not isinstance(made, dict):
        raise refusal("the card", "no object", f"the fields {', '.join(NAMES)}", "")
    wrong = [
        *(f"no '{name}'" for name in NAMES if name not in made and name not in _OPTIONAL),
        *(f"an unknown '{str(name)[:40]}'" for name in made if name not in NAMES),
        *(f"no text as '{name}'" for name in made if not _is_text(made[name])),
    ]
    expected = f"the texts {', '.join(NAMES)}"
    refuse(Problem("the card", 0, one, expected, "Change it.") for one in wrong)
    return OwnCard(**made)


def _is_text(value: object) -> bool:
    """Whether a value is a text that a page can show: without half a character."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def card_in_link(card: OwnCard) -> str:
    """A card as the value of a link's parameter."""
    return urlsafe_b64encode(_as_json(card).encode()).decode().rstrip("=")


def card_of_link(value: str) -> OwnCard:
    """The card of a link. Raises InputError if the link is damaged."""
    try:
        made = json.loads(urlsafe_b64decode(value + "=" * (-len(value) % 4)))
    except (Base64Error, ValueError, RecursionError):
        damaged = "something other than a card", "a card", "Copy the whole link again."
        raise refusal("the link", *damaged) from None
    return _card(made)


def _as_json(card: OwnCard) -> str:
    return json.dumps(_fields(card), ensure_ascii=False, separators=(",", ":"))


def _fields(card: OwnCard) -> dict[str, str]:
    """Without a sentence if there is none, so that ids and links from before stay."""
    return {name: text for name, text in asdict(card).items() if text or name != "sentence"}
