"""A sample with words that are not in the text and mentions with gaps, written for the tests."""

_KEY = """# newdoc id = picnic
# global.Entity = eid-etype-head-other
# sent_id = picnic-1
# text = Mara called Ben and left early
1\tMara\tMara\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1)
2\tcalled\tcall\tVERB\t_\t_\t0\troot\t0:root\t_
3\tBen\tBen\tPROPN\t_\t_\t2\tobj\t2:obj\tEntity=(e2-person-1)
4\tand\tand\tCCONJ\t_\t_\t5\tcc\t5:cc\t_
4.1\t_\tshe\tPRON\t_\t_\t_\t_\t5:nsubj\tEntity=(e1-person-1)
5\tleft\tleave\tVERB\t_\t_\t2\tconj\t2:conj\t_
6\tearly\tearly\tADV\t_\t_\t5\tadvmod\t5:advmod\t_

# sent_id = picnic-2
# text = They take , as ever , along the old basket that leaks
1\tThey\tthey\tPRON\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e3-person-1)|SplitAnte=e1<e3,e2<e3
2\ttake\ttake\tVERB\t_\t_\t0\troot\t0:root\tEntity=(e4[1/2]--1)
3\t,\t,\tPUNCT\t_\t_\t5\tpunct\t5:punct\t_
4\tas\tas\tADP\t_\t_\t5\tcase\t5:case\t_
5\tever\tever\tADV\t_\t_\t2\tadvmod\t2:advmod\t_
6\t,\t,\tPUNCT\t_\t_\t5\tpunct\t5:punct\t_
7\talong\talong\tADP\t_\t_\t2\tcompound\t2:compound\tEntity=(e4[2/2]--1)
8\tthe\tthe\tDET\t_\t_\t10\tdet\t10:det\tEntity=(e5-object-3
9\told\told\tADJ\t_\t_\t10\tamod\t10:amod\t_
10\tbasket\tbasket\tNOUN\t_\t_\t2\tobj\t2:obj\t_
11\tthat\tthat\tPRON\t_\t_\t12\tnsubj\t12:nsubj\tEntity=(e5-object-1)
12\tleaks\tleak\tVERB\t_\t_\t10\tacl\t10:acl\tEntity=e5)

# sent_id = picnic-3
# text = This they like
1\tThis\tthis\tPRON\t_\t_\t3\tobj\t3:obj\tEntity=(e4--1)
2\tthey\tthey\tPRON\t_\t_\t3\tnsubj\t3:nsubj\tEntity=(e3-person-1)
3\tlike\tlike\tVERB\t_\t_\t0\troot\t0:root\t_
3.1\tit\tit\tPRON\t_\t_\t_\t_\t3:obj\tEntity=(e5-object-1)

"""
KEY = _KEY.encode()
# A zero in the wrong entity, one missing, and a gap in another mention
RESPONSE = (
    _KEY.replace("3.1\tit\tit\tPRON\t_\t_\t_\t_\t3:obj\tEntity=(e5-object-1)\n", "")
    .replace("5:nsubj\tEntity=(e1-person-1)", "5:nsubj\tEntity=(e2-person-1)")
    .replace("|SplitAnte=e1<e3,e2<e3", "")
    .replace("(e5-object-3", "(e5[1/2]-object-2")
    .replace("10:amod\t_", "10:amod\tEntity=e5[1/2])")
    .replace("10:acl\tEntity=e5)", "10:acl\tEntity=(e5[2/2]-object-2)")
).encode()
