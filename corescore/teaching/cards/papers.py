"""Where the metrics were defined, as full references."""

VILAIN_1995 = (
    "Marc Vilain, John Burger, John Aberdeen, Dennis Connolly and Lynette Hirschman. 1995. "
    "A model-theoretic coreference scoring scheme. In Proceedings of the 6th Message "
    "Understanding Conference (MUC-6), Columbia, Maryland, pages 45–52."
)
BAGGA_1998 = (
    "Amit Bagga and Breck Baldwin. 1998. Algorithms for scoring coreference chains. In "
    "Proceedings of the LREC Workshop on Linguistic Coreference, Granada, pages 563–566."
)
LUO_2005 = (
    "Xiaoqiang Luo. 2005. On coreference resolution performance metrics. In Proceedings of "
    "HLT/EMNLP, Vancouver, pages 25–32."
)
RECASENS_2011 = (
    "Marta Recasens and Eduard Hovy. 2011. BLANC: implementing the Rand index for coreference "
    "evaluation. Natural Language Engineering, 17(4):485–510."
)
LUO_2014 = (
    "Xiaoqiang Luo, Sameer Pradhan, Marta Recasens and Eduard Hovy. 2014. An extension of BLANC to "
    "system mentions. In Proceedings of the 52nd Annual Meeting of the ACL (Volume 2: Short "
    "Papers), Baltimore, Maryland, pages 24–29."
)
PRADHAN_2014 = (
    "Sameer Pradhan, Xiaoqiang Luo, Marta Recasens, Eduard Hovy, Vincent Ng and Michael Strube. "
    "2014. Scoring coreference partitions of predicted mentions: a reference implementation. In "
    "Proceedings of the 52nd Annual Meeting of the ACL (Volume 2: Short Papers), Baltimore, "
    "Maryland, pages 30–35."
)
MOOSAVI_2016 = (
    "Nafise Sadat Moosavi and Michael Strube. 2016. Which coreference evaluation metric do you "
    "trust? A proposal for a link-based entity aware metric. In Proceedings of the 54th Annual "
    "Meeting of the ACL (Volume 1: Long Papers), Berlin, pages 632–642."
)
DENIS_2009 = (
    "Pascal Denis and Jason Baldridge. 2009. Global joint models for coreference resolution and "
    "named entity classification. Procesamiento del Lenguaje Natural, 42:87–96."
)
PRADHAN_2011 = (
    "Sameer Pradhan, Lance Ramshaw, Mitchell Marcus, Martha Palmer, Ralph Weischedel and Nianwen "
    "Xue. 2011. CoNLL-2011 shared task: modeling unrestricted coreference in OntoNotes. In "
    "Proceedings of CoNLL: Shared Task, Portland, Oregon, pages 1–27."
)
RAND_1971 = (
    "William M. Rand. 1971. Objective criteria for the evaluation of clustering methods. Journal "
    "of the American Statistical Association, 66(336):846–850."
)
