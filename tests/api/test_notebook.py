"""Results in a real Jupyter kernel: every cell ends in HTML that stands in the page by itself."""

import nbformat
import pytest
from nbclient import NotebookClient

from corescore.util import bundled

SAMPLE = bundled("sample_data")
CELLS = {
    "Result": f"""
import corescore
key, a, b = (
    corescore.read(f"{SAMPLE}/{{name}}.conll") for name in ("key", "cautious", "greedy")
)
result = corescore.score(key, b)
result""",
    "Pair": "result.compare(corescore.score(key, a), trials=100)",
    "passage": "result.show(result.documents[0])",
    "credit": 'result.show(result.documents[0], credit="bcub")',
    "errors": 'result.find("given:wrong size>2", order="cost.lea").show(most=2)',
    "sweep": """
from corescore.analysis.perturbation import Drop
result.sweep(Drop(), doses=(0, 0.5), seeds=1)""",
    "experiment": """
from corescore.api import experiment
experiment("moosavi2016-table3")""",
}


@pytest.mark.slow
def test_every_value_shows_itself_in_a_kernel() -> None:
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = dict(zip(CELLS, (cell.outputs for cell in notebook.cells), strict=True))
    for name, outputs in shown.items():
        assert [output.output_type for output in outputs] == ["execute_result"], name
        assert outputs[0].data["text/html"].startswith('<div class="corescore cell">')
    html = {name: outputs[0].data["text/html"] for name, outputs in shown.items()}
    assert "CoNLL average" in html["Result"]
    assert "is ahead under" in html["Pair"]
    assert html["passage"].count('class="panel"') == 2
    assert html["credit"].count('class="panel"') == 1
    assert html["errors"].count('class="error-card"') == 2
    assert "the mean of 1 seed" in html["sweep"]
    assert "observations hold" in html["experiment"]
    plain = shown["passage"][0].data["text/plain"]
    assert plain == "Shown(title='news_harbour: key and response')"
