"""The text that text2text-coref makes of CoNLL-U, by its rules as they are described."""


def as_text(conllu, corpus):
    """A line for each document; None if a mention loses its first or last word there.

    corpus  what the file holds, for the mentions
    """
    lines = []
    for document, part in zip(corpus, conllu.split("# newdoc")[1:], strict=True):
        order, at = [], 0
        for block in part.split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
            order += [at + one for one in _sorted([row for row in rows if "-" not in row[0]])]
            at += len([row for row in rows if "-" not in row[0]])
        tokens = [
            f"##{document.words[at].strip('_')}"
            if at in document.empty_nodes
            else document.words[at].replace(" ", "_")
            for at in order
        ]
        tags = [[] for _ in tokens]
        names = {}
        mentions = zip(document.mentions, document.entity_of.tolist(), strict=True)
        for mention, entity in mentions:
            inside = {at for start, end in mention.runs for at in range(start, end)}
            places = [place for place, at in enumerate(order) if at in inside]
            firsts = [one for one in places if one - 1 not in places]
            lasts = [one for one in places if one + 1 not in places]
            with_texts = [
                (first, last)
                for first, last in zip(firsts, lasts, strict=True)
                if len(firsts) == 1
                or any(at not in document.empty_nodes for at in order[first : last + 1])
            ]
            if len(with_texts) != 1:
                return None
            ((first, last),) = with_texts
            if not {min(inside), max(inside)} <= {*order[first : last + 1]}:
                return None
            name = names.setdefault(entity, f"e{len(names) + 1}")
            if first == last:
                tags[first].append(f"[{name}]")
            else:
                tags[first].append(f"[{name}")
                tags[last].append(f"{name}]")
        pairs = zip(tokens, tags, strict=True)
        lines.append(" ".join(f"{t}|{','.join(sorted(of))}" if of else t for t, of in pairs))
    return "\n".join(lines) + "\n"


def _sorted(rows):
    """The numbers of a sentence's rows with each empty node behind the word that it depends on,
    moved there one after the other, behind those that are there."""
    place = [tuple(map(int, (*row[0].split("."), 0)[:2])) for row in rows]
    number = {row[0]: at for at, row in enumerate(rows)}
    for at, row in enumerate(rows):
        parent = row[8].split(":")[0]
        if "." not in row[0] or parent == "_":
            continue
        to = 0 if parent == "0" else place[number[parent]][0]
        if place[at][0] != to:
            there = [of for of in place if of[0] == to and of[1]]
            place[at] = (to, max((last for _, last in there), default=0) + 1)
    return sorted(range(len(rows)), key=place.__getitem__)
