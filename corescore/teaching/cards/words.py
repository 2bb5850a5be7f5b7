"""What several cards say in the same words."""

SAME_ENTITIES = "both sides have the same entities"
SAME_LINKED = "both sides have the same entities of two or more mentions, and there is at least one"
NO_SHARED_MENTION = "the two sides share no mention"
NO_RIGHT_LINK = "no two mentions are coreferent on both sides"


def empty_where(side_is: str) -> str:
    """What is empty, where a side is like that."""
    return (
        f"Where the key {side_is}, recall is empty; where the response {side_is}, precision is "
        "empty. F1 is empty where both are, and 0 where one is."
    )


EMPTY_WITHOUT_MENTIONS = empty_where("has no mention")
EMPTY_WITHOUT_LINKS = empty_where("has no entity of two or more mentions")

KEY_SIZE = (r"a_i", "mentions of key entity i")
RESPONSE_SIZE = (r"b_j", "mentions of response entity j")
SHARED = (r"n_{ij}", "mentions that these two share")
MENTIONS = (r"A,\ B", "mentions of the key, of the response")
BOTH = (r"m", "mentions that both sides have")
PAIRS = (r"\tbinom{n}{2}", "pairs of n mentions, n(n − 1)/2")
ALIGNED = (r"i \sim j", "i and j are aligned with each other")
