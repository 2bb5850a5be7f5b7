"""The documentation site: `make docs`. Every warning fails the build."""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from docstrings import as_rst, check_documented  # noqa: E402
from generator import write_pages  # noqa: E402

import corescore  # noqa: E402

project = "corescore"
author = "the corescore developers"
version = release = corescore.__version__
html_title = f"corescore {version}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generated", "_build"]
suppress_warnings = ["config.cache"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
default_role = "literal"
highlight_language = "none"

autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    "exclude-members": "__init__, __new__",
}
autodoc_use_type_comments = False
python_maximum_signature_line_length = 88

html_theme = "pydata_sphinx_theme"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "footer_start": [],
    "footer_end": [],
    "use_edit_page_button": False,
}
html_sidebars = {"index": []}


def setup(app: Sphinx) -> dict[str, Any]:
    write_pages(HERE / "generated")
    app.connect("autodoc-process-docstring", check_documented)
    app.connect("autodoc-process-docstring", as_rst)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
