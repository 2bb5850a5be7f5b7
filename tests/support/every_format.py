"""A small file, or the files, of each format."""

import json

CONLLU = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = 1
1	Mia	Mia	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1)
2	fed	feed	VERB	_	_	0	root	_	_
3	her	her	PRON	_	_	4	nmod	_	Entity=(e2-animal-2(e1-person-1)
4	cat	cat	NOUN	_	_	2	obj	_	Entity=e2)
4.1	_	_	PRON	_	_	_	_	2:obj	Entity=(e2-animal-1)

"""
CONLL = (
    "#begin document (d); part 000\n"
    "d\t0\t0\tMia\t(1)\nd\t0\t1\tran\t-\n\n"
    "d\t0\t0\tHer\t(2|(1)\nd\t0\t1\tcat\t2)\n\n#end document\n"
)
CONLL_UA = """\
# global.columns = ID FORM IDENTITY
# newdoc id = d
# sent_id = 1
1	Mia	(EntityID=1|MarkableID=m1|Min=1|SemType=do)
2	fed	_
3	her	(EntityID=2|MarkableID=m2|Min=4(EntityID=1|MarkableID=m3|Min=3)
4	cat	)

"""
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "d-1\tMia met Ann when she ran.\tshe\t17\tMia\t0\tTRUE\tAnn\t8\tFALSE\thttp://x.org\n"
)
WORDS = ["Mia", "fed", "her", "cat", "."]
JSONS = {
    "allennlp": {"document": WORDS, "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
    "preco": {"id": "p", "sentences": [WORDS], "mention_clusters": [[[0, 0, 1], [0, 2, 3]]]},
    "fastcoref": {"text": "Mia fed her cat.", "clusters": [[[0, 3], [8, 11]]]},
    "maverick": {"tokens": WORDS, "clusters_token_offsets": [[[0, 0], [2, 2]]]},
    "wl-coref": {"document_id": "w", "cased_words": WORDS, "clusters": [[[0, 1], [2, 4]]]},
    "indiscrim": {
        "id": "i",
        "sentences": [{"tokens": [{"id": n, "text": word} for n, word in enumerate(WORDS)]}],
        "coref_chains": [[[0, 0, 0], [0, 2, 3]]],
    },
    "text2text": {
        "doc_id": "t",
        "tokens": ["##", *WORDS],
        "clusters_token_offsets": [[[0, 0], [1, 1]]],
        "clusters_text_mentions": [["_", "Mia"]],
    },
    "corenlp": {
        "docId": "d",
        "sentences": [{"index": 0, "tokens": [{"word": word, "pos": "X"} for word in WORDS]}],
        "corefs": json.loads(
            '{"7": ['
            '{"sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1, "type": "PROPER"},'
            '{"sentNum": 1, "startIndex": 3, "endIndex": 4, "headIndex": 3, "type": "NOMINAL"}'
            "]}"
        ),
    },
    "scorch": {"name": "s", "type": "clusters", "clusters": {"0": ["a", "b"], "x": ["c"]}},
    "scierc": {
        "doc_key": "d",
        "sentences": [WORDS],
        "clusters": [[[0, 0], [2, 2]]],
        "ner": [[[0, 0, "Person"]]],
    },
    "emory": json.loads(
        '{"episodes": [{"scenes": [{"scene_id": "s1", "utterances": [{"speakers": ["Ann"], '
        '"tokens": [["I", "saw", "him"]], '
        '"character_entities": [[[0, 1, "Ann"], [2, 3, "Bob"]]]}]}]}]}'
    ),
    "jsonl": {"doc_key": "d", "sentences": [WORDS], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
    "jsonl-exclusive": {"doc_key": "d", "sentences": [WORDS], "clusters": [[[0, 1], [2, 4]]]},
    "jsonl-subtokens": {
        "doc_key": "d",
        "sentences": [["[CLS]", "Mi", "##a", "and", "her", "[SEP]"]],
        "clusters": [[[1, 2], [4, 4]]],
    },
}
CHAIN = json.loads(
    '{"chain": {"index": 0, "representative_text": "Mia"}, "index": 0, '
    '"representative_text": "Mia", "is_start": true, "is_end": true}'
)
STANZA = [
    [
        {
            "id": number,
            "text": word,
            "coref_chains": [CHAIN | {"is_representative": word == "Mia"}]
            if word in ("Mia", "her")
            else [],
        }
        for number, word in enumerate(WORDS, start=1)
    ]
]
TEXT = "Mia gave her sister a bike.\nThe girls rode it.\n"
BRAT = """\
T1	Person 0 3	Mia
T2	Person 9 12	her
T3	Person 9 19	her sister
T4	Thing 20 26	a bike
T5	Thing 43 45	it
R1	Coref Arg1:T2 Arg2:T1
*	Equiv T4 T5
"""
LITBANK = """\
MENTION	T1	0	0	0	0	Mia	PER	PROP
MENTION	T2	0	2	0	2	her	PER	PRON
COREF	T1	Mia-1
MENTION	T3	0	2	0	3	her sister	PER	NOM
COREF	T2	Mia-1
COP	T3	T1
"""
TOKENS = "paragraph_ID\tsentence_ID\ttoken_ID_within_document\tword\tfine_POS_tag\n" + "".join(
    f"0\t0\t{at}\t{word}\tX\n" for at, word in enumerate(WORDS)
)
ENTITIES = (
    "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
    "7\t0\t0\tPROP\tPER\tMia\n7\t2\t2\tPRON\tPER\ther\n9\t2\t3\tNOM\tANI\ther cat\n"
)
WEBANNO = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=custom.CoreferenceLink|referenceRelation|referenceType


#Text=Mia gave her sister a bike
1-1	0-3	Mia	*->1-1	name[1]
1-2	4-8	gave	_	_
1-3	9-12	her	*->1-2|*->2-1	pron[1]|*[2]
1-4	13-19	sister	*->2-1	*[2]
"""
MMAX_WORDS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n'
    + "".join(f'<word id="word_{at}">{word}</word>\n' for at, word in enumerate(WORDS, start=1))
    + "</words>\n"
)
MMAX = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE markables SYSTEM "markables.dtd">
<markables xmlns="www.eml.org/NameSpaces/coref">
<markable id="markable_1" span="word_3" coref_class="set_1" mention="pronoun"/>
<markable id="markable_2" span="word_1" coref_class="set_1" mention="np"/>
<markable id="markable_3" span="word_3..word_4,word_5" coref_class="set_2" min_ids="word_4"/>
</markables>
"""
ECBPLUS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="1_1ecb.xml" doc_id="D">\n'
    + "".join(
        f'<token t_id="{at}" sentence="0" number="{at - 1}">{word}</token>\n'
        for at, word in enumerate(WORDS, start=1)
    )
    + """\
<Markables>
<HUMAN_PART_PER m_id="1" ><token_anchor t_id="1"/></HUMAN_PART_PER>
<HUMAN_PART_PER m_id="2" ><token_anchor t_id="3"/></HUMAN_PART_PER>
<HUMAN_PART_PER m_id="9" RELATED_TO="" TAG_DESCRIPTOR="x" instance_id="HUM1" />
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="1" note="HUM1" ><source m_id="1" /><source m_id="2" /><target m_id="9" />\
</CROSS_DOC_COREF>
</Relations>
</Document>
"""
)
TEI = """\
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<text><body>
<p><persName ref="#mia" type="person">Mia</persName> gave <rs ref="#ann"><rs ref="#mia">her</rs>
sister</rs> a bike.</p></body></text>
</TEI>
"""
FILES = {
    "conllu": {"d.conllu": CONLLU},
    "inline": {"d.md": '# d\n[Mia](#1) gave [[her](#1) "brother"](#2) a bike.\n'},
    "conll": {"d.conll": CONLL},
    "conll-ua": {"d.conllu": CONLL_UA},
    "gap": {"d.tsv": GAP},
    "winobias": {
        "d.txt": "1 [The cook] met (the maid) , [she] saw (her).\n2 [Mia] ran [her] bath.\n"
    },
    "text2text-plain": {
        "d.txt": "Mia|[e1] fed ##|[e3] her|[e1],[e2 cat|e2]\nHer|[e1],[e2 cat|e2] ran\n"
    },
    **{known: {"d.json": json.dumps(values) + "\n"} for known, values in JSONS.items()},
    "stanza": {"d.json": json.dumps(STANZA)},
    "sacr": {"d.sacr": '#title: It\n\n{e1 Mia} gave {e2:kind="a, b" {e1 her} brother} a bike.\n'},
    "notation": {"d.txt": "# d\n{a b c} {d e}\n# e\n{ab}{c}\n"},
    "brat": {"d.ann": BRAT, "d.txt": TEXT},
    "litbank": {"d.ann": LITBANK, "d.txt": "Mia gave her sister a bike .\n\nIt ran .\n"},
    "booknlp": {"d.entities": ENTITIES, "d.tokens": TOKENS},
    "webanno": {"d.tsv": WEBANNO},
    "mmax2": {"d_coref_level.xml": MMAX, "d_words.xml": MMAX_WORDS},
    "ecbplus": {"1/1_1ecb.xml": ECBPLUS},
    "ecbplus-topics": {"1/1_1ecb.xml": ECBPLUS},
    "tei": {"d.xml": TEI},
}
