"""Every paper that is cited, once: metrics, cards, experiments and pitfalls refer to these."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A publication, in the parts that a citation and a full reference are made of.

    short    the authors as in a citation: "Moosavi & Strube"
    authors  their full names
    venue    where it appeared, with pages; `reference` ends with it
    """

    short: str
    year: int
    title: str
    subtitle: str = ""
    authors: str = ""
    venue: str = ""

    @property
    def name(self) -> str:
        """As it is cited: "Moosavi & Strube 2016"."""
        return f"{self.short} {self.year}"

    @property
    def cited(self) -> str:
        """The name and the main title."""
        return self.at(self.title)

    @property
    def full_title(self) -> str:
        separator = " " if self.title.endswith("?") else ": "
        return separator.join(filter(None, (self.title, self.subtitle)))

    @property
    def reference(self) -> str:
        """The full reference, as at the end of a paper."""
        return f"{self.authors}. {self.year}. {self.full_title}. {self.venue}."

    def at(self, where: str) -> str:
        """A place in the paper: "Moosavi & Strube 2016, Table 1"."""
        return f"{self.name}, {where}"


RAND_1971 = Paper(
    "Rand",
    1971,
    "Objective criteria for the evaluation of clustering methods",
    authors="William M. Rand",
    venue="Journal of the American Statistical Association, 66(336):846–850",
)
VILAIN_1995 = Paper(
    "Vilain et al.",
    1995,
    "A model-theoretic coreference scoring scheme",
    authors="Marc Vilain, John Burger, John Aberdeen, Dennis Connolly and Lynette Hirschman",
    venue="In Proceedings of the 6th Message Understanding Conference (MUC-6), Columbia, Maryland, "
    "pages 45–52",
)
BAGGA_1998 = Paper(
    "Bagga & Baldwin",
    1998,
    "Algorithms for scoring coreference chains",
    authors="Amit Bagga and Breck Baldwin",
    venue="In Proceedings of the LREC Workshop on Linguistic Coreference, Granada, pages 563–566",
)
LUO_2005 = Paper(
    "Luo",
    2005,
    "On coreference resolution performance metrics",
    authors="Xiaoqiang Luo",
    venue="In Proceedings of HLT/EMNLP, Vancouver, pages 25–32",
)
DENIS_2009 = Paper(
    "Denis & Baldridge",
    2009,
    "Global joint models for coreference resolution and named entity classification",
    authors="Pascal Denis and Jason Baldridge",
    venue="Procesamiento del Lenguaje Natural, 42:87–96",
)
PRADHAN_2011 = Paper(
    "Pradhan et al.",
    2011,
    "CoNLL-2011 shared task",
    "modeling unrestricted coreference in OntoNotes",
    authors="Sameer Pradhan, Lance Ramshaw, Mitchell Marcus, Martha Palmer, Ralph Weischedel and "
    "Nianwen Xue",
    venue="In Proceedings of CoNLL: Shared Task, Portland, Oregon, pages 1–27",
)
RECASENS_2011 = Paper(
    "Recasens & Hovy",
    2011,
    "BLANC: implementing the Rand index for coreference evaluation",
    authors="Marta Recasens and Eduard Hovy",
    venue="Natural Language Engineering, 17(4):485–510",
)
PRADHAN_2012 = Paper(
    "Pradhan et al.",
    2012,
    "CoNLL-2012 shared task",
    "modeling multilingual unrestricted coreference in OntoNotes",
    authors="Sameer Pradhan, Alessandro Moschitti, Nianwen Xue, Olga Uryupina and Yuchen Zhang",
    venue="In Joint Conference on EMNLP and CoNLL: Shared Task, Jeju Island, Korea, pages 1–40",
)
LUO_2014 = Paper(
    "Luo et al.",
    2014,
    "An extension of BLANC to system mentions",
    authors="Xiaoqiang Luo, Sameer Pradhan, Marta Recasens and Eduard Hovy",
    venue="In Proceedings of the 52nd Annual Meeting of the ACL (Volume 2: Short Papers), "
    "Baltimore, Maryland, pages 24–29",
)
PRADHAN_2014 = Paper(
    "Pradhan et al.",
    2014,
    "Scoring coreference partitions of predicted mentions",
    "a reference implementation",
    authors="Sameer Pradhan, Xiaoqiang Luo, Marta Recasens, Eduard Hovy, Vincent Ng and Michael "
    "Strube",
    venue="In Proceedings of the 52nd Annual Meeting of the ACL (Volume 2: Short Papers), "
    "Baltimore, Maryland, pages 30–35",
)
MOOSAVI_2016 = Paper(
    "Moosavi & Strube",
    2016,
    "Which coreference evaluation metric do you trust?",
    "A proposal for a link-based entity aware metric",
    authors="Nafise Sadat Moosavi and Michael Strube",
    venue="In Proceedings of the 54th Annual Meeting of the ACL (Volume 1: Long Papers), Berlin, "
    "pages 632–642",
)
