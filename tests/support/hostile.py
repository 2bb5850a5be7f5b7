"""Names and words that are markup, formulas, marks of direction, template code or endless."""

WORDS = (
    "<script>alert(1)</script>",
    "<img\u00a0src=x\u00a0onerror=alert(1)>",
    "$x$",
    "\u202eright-to-left\u202c",
    "m" * 5000,
    "🙂",
    "**bold**",
    "&amp;",
    ":material/home:",
    "`code`",
    "[link](x)",
    "{{7*7}}",
    "{%raw%}",
    '"quoted"\'',
)
NAME = "<i>d</i> $y$"
