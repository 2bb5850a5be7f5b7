"""Charts of pitfall cards."""

import pytest

from corescore.plots import pitfalls as pitfall_plots
from corescore.teaching.criteria import MEASURES, score_comparison
from corescore.teaching.pitfalls import PITFALLS


@pytest.mark.parametrize("card", PITFALLS, ids=lambda card: card.id)
def test_the_chart_of_a_card_has_the_bars_and_the_figures_of_its_table(card):
    figure = pitfall_plots.comparison(
        score_comparison(card), measure=card.measure, title=card.title, finding="F"
    )
    told = [one.text for one in figure.layout.annotations]
    for output, bars in zip((card.case.a, card.case.b), figure.data, strict=True):
        values = [output.value(metric, card.measure) for metric in card.shown]
        drawn = [pytest.approx(100 * value, nan_ok=True) for value in values]
        assert list(bars.x) == drawn
        mine = [text for text in told if text.startswith(f"{output.letter} <b>")]
        assert [text.split("<b>")[1].split("</b>")[0] for text in mine] == [
            *map(pitfall_plots.shown, values)
        ]
        spoken = [hover.split("<br>")[0] for hover in bars.hovertext]
        assert all(f" of {output.letter}" in words for words in spoken)
    against = ["disagrees" in name for name in figure.layout.yaxis.ticktext]
    assert against == [card.case.disagrees(metric) for metric in card.shown]
    assert pitfall_plots.MARKS in figure.layout.title.subtitle.text
    assert figure.layout.xaxis.title.text == f"{MEASURES[card.measure]}, percent"
