"""Every paper that is cited, once: metrics, cards, experiments and pitfalls refer to these."""

from typing import NamedTuple


class Paper(NamedTuple):
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


SHAPLEY_1953 = Paper(
    "Shapley",
    1953,
    "A value for n-person games",
    authors="Lloyd S. Shapley",
    venue="In Harold W. Kuhn and Albert W. Tucker, editors, Contributions to the Theory of Games, "
    "volume II. Princeton University Press, Princeton, pages 307–317",
)
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
POPESCU_BELIS_2000 = Paper(
    "Popescu-Belis",
    2000,
    "Évaluation numérique de la résolution de la référence",
    "critiques et propositions",
    authors="Andrei Popescu-Belis",
    venue="Traitement automatique des langues, 40(2):117–146",
)
DODDINGTON_2004 = Paper(
    "Doddington et al.",
    2004,
    "The Automatic Content Extraction (ACE) program",
    "tasks, data, and evaluation",
    authors="George Doddington, Alexis Mitchell, Mark Przybocki, Lance Ramshaw, Stephanie Strassel "
    "and Ralph Weischedel",
    venue="In Proceedings of LREC, Lisbon, pages 837–840",
)
LUO_2005 = Paper(
    "Luo",
    2005,
    "On coreference resolution performance metrics",
    authors="Xiaoqiang Luo",
    venue="In Proceedings of HLT/EMNLP, Vancouver, pages 25–32",
)
BENGTSON_2008 = Paper(
    "Bengtson & Roth",
    2008,
    "Understanding the value of features for coreference resolution",
    authors="Eric Bengtson and Dan Roth",
    venue="In Proceedings of EMNLP, Honolulu, pages 294–303",
)
AMIGO_2009 = Paper(
    "Amigó et al.",
    2009,
    "A comparison of extrinsic clustering evaluation metrics based on formal constraints",
    authors="Enrique Amigó, Julio Gonzalo, Javier Artiles and Felisa Verdejo",
    venue="Information Retrieval, 12(4):461–486",
)
DENIS_2009 = Paper(
    "Denis & Baldridge",
    2009,
    "Global joint models for coreference resolution and named entity classification",
    authors="Pascal Denis and Jason Baldridge",
    venue="Procesamiento del Lenguaje Natural, 42:87–96",
)
RAHMAN_2009 = Paper(
    "Rahman & Ng",
    2009,
    "Supervised models for coreference resolution",
    authors="Altaf Rahman and Vincent Ng",
    venue="In Proceedings of EMNLP, Singapore, pages 968–977",
)
STOYANOV_2009 = Paper(
    "Stoyanov et al.",
    2009,
    "Conundrums in noun phrase coreference resolution",
    "making sense of the state-of-the-art",
    authors="Veselin Stoyanov, Nathan Gilbert, Claire Cardie and Ellen Riloff",
    venue="In Proceedings of ACL-IJCNLP, Singapore, pages 656–664",
)
CAI_2010 = Paper(
    "Cai & Strube",
    2010,
    "Evaluation metrics for end-to-end coreference resolution systems",
    authors="Jie Cai and Michael Strube",
    venue="In Proceedings of SIGDIAL, Tokyo, pages 28–36",
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
LUO_2016 = Paper(
    "Luo & Pradhan",
    2016,
    "Evaluation metrics",
    authors="Xiaoqiang Luo and Sameer Pradhan",
    venue="In Massimo Poesio, Roland Stuckardt and Yannick Versley, editors, Anaphora Resolution: "
    "Algorithms, Resources, and Applications. Springer, Berlin, pages 141–163",
)
WEBSTER_2018 = Paper(
    "Webster et al.",
    2018,
    "Mind the GAP",
    "A balanced corpus of gendered ambiguous pronouns",
    authors="Kellie Webster, Marta Recasens, Vera Axelrod and Jason Baldridge",
    venue="Transactions of the Association for Computational Linguistics, 6:605–617",
)
PAUN_2023 = Paper(
    "Paun et al.",
    2023,
    "Scoring coreference chains with split-antecedent anaphors",
    authors="Silviu Paun, Juntao Yu, Nafise Sadat Moosavi and Massimo Poesio",
    venue="Dialogue and Discourse, 14(2)",
)

MARTINELLI_2025 = Paper(
    "Martinelli et al.",
    2025,
    "BookCoref",
    "coreference resolution at book scale",
    authors="Giuliano Martinelli, Tommaso Bonomo, Pere-Lluís Huguet Cabot and Roberto Navigli",
    venue="In Proceedings of the 63rd Annual Meeting of the ACL (Volume 1: Long Papers), Vienna, "
    "pages 24526–24544",
)

# By name, such as "RAND_1971".
PAPERS = {name: one for name, one in globals().items() if isinstance(one, Paper)}
