"""The register of URL names: what each query parameter means, and which pages use it.

A name has one meaning on all pages: Streamlit keeps a value in the URL of the next page, so pages
with different meanings for a name would overwrite each other's.
"""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st


class UrlName(NamedTuple):
    """A query parameter. pages: the paths of the pages that use it; "*" is every page."""

    name: str
    meaning: str
    pages: str


REGISTER = tuple(
    UrlName(*line)
    for line in (
        # Data and selection
        ("data", "which data are shown: the sample, the command line's files, an upload", "*"),
        ("files", "names of the files that are shown", "*"),
        ("upload", "the name that an upload is kept by", "*"),
        ("brackets", "how an uploaded file in CoNLL format is read", "*"),
        ("a", "response A", "*"),
        ("b", "response B", "*"),
        ("of", "the letter of the system that a page shows", "*"),
        ("document", "the selected document", "*"),
        ("mention", "the selected mention: its first and last word", "*"),
        ("worst_first", "whether the box of documents is sorted by score", "*"),
        ("token", "the password of a shared server", "*"),
        ("pictures", "the format in which charts are downloaded", "*"),
        # Policies
        ("singletons", "policy", "*"),
        ("repeats", "policy", "*"),
        ("blanc", "policy", "*"),
        ("match", "policy", "*"),
        ("lookup", "policy", "*"),
        ("mentions", "policy", "*"),
        ("zeros", "policy", "*"),
        ("missing_documents", "policy", "*"),
        ("words", "policy", "*"),
        ("average", "policy", "*"),
        # Explore
        (
            "by",
            "metric that documents, systems or data sets are compared by",
            "documents compare many data-sets",
        ),
        ("named", "part of the names of the documents that are listed", "documents"),
        ("sort", "column that documents are sorted by", "documents"),
        ("show", "columns of the table of documents", "documents"),
        ("across", "horizontal axis of the chart of documents", "documents"),
        ("together", "whether A and B are marked on one text", "text"),
        ("colour_by", "what the colours of mentions mean", "text"),
        ("search", "words or an entity to find in the text", "text"),
        ("part", "part of a long text", "text"),
        ("only", "classes of the mentions that are drawn", "text"),
        ("only_outcomes", "outcomes under A and B of the mentions that are drawn", "text"),
        ("mention_type", "type of the mentions that are drawn", "text"),
        ("within", "entity of the mentions that are drawn", "text"),
        ("error_kinds", "kinds of errors that affect the mentions that are drawn", "text"),
        ("errors_of", "systems that made these errors", "text"),
        ("side", "direction of the credit: recall or precision", "credit"),
        ("window", "part of a long text, as drawn for each metric", "credit"),
        ("metric", "metric that is explained", "credit metrics"),
        ("level", "what has a row: mention, link or entity", "credit"),
        ("scope", "entities of one document or of all", "entities"),
        ("worst_by", "metric that ranks overlaps of entities", "entities"),
        ("links", "which links are drawn", "links"),
        ("weights_under", "metric of the links' weights", "links"),
        ("tab", "errors one by one or by kind", "errors"),
        ("find", "query of the list of errors", "errors"),
        ("order", "what errors are sorted by", "errors"),
        ("row", "the error that is open", "errors"),
        ("moved", "whether correct mentions that a fix only moves are listed", "errors"),
        (
            "mended",
            "whether each kind of error is fixed alone or after the kinds before it",
            "errors",
        ),
        ("gain_in", "measure of what a fix gains", "errors"),
        ("by_slice", "what groups mentions", "errors compare"),
        ("towards", "direction of the credit of groups of mentions", "errors"),
        ("kind", "kind of the errors in the table of examples", "errors"),
        ("confused_by", "metric of the gains in the table of antecedents", "errors"),
        # Perturb
        ("do", "steps of a perturbation", "perturb"),
        ("seed", "seed of a perturbation", "perturb"),
        ("left_behind", "fate of singletons that a step leaves behind", "perturb"),
        ("curves_of", "measure of the curves", "perturb"),
        ("seeds", "number of runs at each dose", "perturb"),
        ("experiment", "experiment that is shown", "experiments"),
        ("claims", "claims of an experiment that are marked", "experiments"),
        ("list", "errata or statements", "errata"),
        ("paper", "paper that is shown", "errata"),
        ("of_kind", "kind of the errata", "errata"),
        ("verdict", "verdict of the statements", "errata"),
        # Compare
        ("measure", "recall, precision or F1", "compare many data-sets"),
        ("primary", "primary metric", "compare export"),
        ("beforehand", "whether the primary metric was chosen beforehand", "compare export"),
        ("trials", "number of random trials or resamples", "compare many"),
        ("chance", "seed of trials and resamples", "compare many"),
        ("margin", "equivalence margin", "compare"),
        ("one", "metric that is compared with another", "compare"),
        ("other", "the other metric", "compare"),
        ("preferring", "system that the first of the two metrics puts ahead", "compare"),
        ("errors_by", "what groups the two systems' errors", "compare"),
        ("right_by", "what mentions of two systems are compared by", "compare"),
        ("listed", "mentions or entities", "compare"),
        ("credit_under", "metric of the listed credit", "compare"),
        ("ties", "which systems are tied", "many"),
        ("axis", "ranks or scores", "many"),
        ("test_pairs", "whether each pair of systems is tested", "many"),
        ("cells", "scores or ranks of data sets", "data-sets"),
        ("followed", "metric that is followed from scorer to scorer", "scorers"),
        ("number", "a printed score to trace", "scorers"),
        ("from", "scorer that a walk begins with", "scorers"),
        ("to", "scorer that a walk ends with", "scorers"),
        ("shapley", "whether moves are averaged over all orders", "scorers"),
        # Learn
        ("t", "sentence of a toy", "sandbox"),
        ("k", "key of a toy", "sandbox"),
        ("r", "response of a toy", "sandbox"),
        ("m", "metric of a toy", "sandbox"),
        ("x", "exercise", "sandbox"),
        ("s", "measure of a toy", "sandbox"),
        ("card", "card that is shown", "pitfalls"),
        ("made", "a card that the link contains", "pitfalls lesson"),
        ("about", "metric of the cards that are listed", "pitfalls"),
        ("criterion", "what a card is judged by", "pitfalls lesson"),
        ("revealed", "how much of a card is revealed", "pitfalls lesson"),
        ("present", "presenter mode", "pitfalls lesson sandbox"),
        ("step", "step of the lesson", "lesson"),
        # Report
        ("sections", "sections of the report", "export"),
        ("passages", "passages of the report", "export"),
        ("scores_as", "format of the score table", "export"),
    )
)

# Names that were changed: the page, the former name, and the name now.
FORMER = (
    ("text", "find", "search"),
    ("errata", "show", "list"),
    ("pitfalls", "misled", "about"),
)


# The pages of the app by name, so that a page can link to another without importing it ------------


def keep_pages(pages: Mapping[str, st.Page]) -> None:
    """Keep the pages of this session; `page_named` finds them."""
    st.session_state["pages"] = pages


def page_named(name: str) -> st.Page:
    """A page for `st.page_link`, by its path in the URL; "overview" is the page at "/"."""
    page: st.Page = st.session_state["pages"][name]
    return page
