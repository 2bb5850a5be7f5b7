"""Take every picture of README and documentation: `python -m tests.pictures`, `make pictures`."""

import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.support.browser import QUIET, open_at, served, watched
from tests.support.chromium import find_chromium

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS = 256  # of a palette: enough for flat charts, and a third of the bytes
SETTLED = 1500  # milliseconds in which charts and fonts come to rest


@dataclass(frozen=True)
class Picture:
    """A page as it is opened, the element that must be there, and how much of it is taken."""

    name: str
    path: str
    shows: str
    height: int = 900
    width: int = 1440
    scheme: str = "light"


CHART = ".js-plotly-plot .main-svg"
PICTURES = (
    Picture("overview", "/", CHART),
    Picture("credit", "/credit?side=precision", ".mention", height=1240),
    Picture(
        "error_list",
        "/errors?find=type:pronoun+given.type:proper+given:wrong&order=cost.lea",
        ".error-list .row",
    ),
    Picture("errors", "/errors?tab=by+kind", CHART),
    Picture("text", "/text", ".passage .word", scheme="dark"),
    Picture("perturb", "/perturb", CHART),
    Picture("compare", "/compare", CHART),
    Picture("many", "/many", CHART, height=620),
    Picture("sandbox", "/sandbox", ".chip"),
    Picture("pitfalls", "/lesson?about=LEA", ".pit-tile"),
    Picture("presented", "/pitfalls?card=ceafe-sizes&revealed=yes&present=yes", ".pit-why"),
)


def take(page, address, picture):
    """The PNG of a picture, with a palette."""
    open_at(page, address + picture.path)
    page.locator(f"{picture.shows}:visible").first.wait_for()
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)
    page.wait_for_timeout(SETTLED)
    image = Image.open(io.BytesIO(page.screenshot()))
    small = io.BytesIO()
    image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        small, "PNG", optimize=True
    )
    return small.getvalue()


def main():
    with served() as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=QUIET)
        for picture in PICTURES:
            with watched(chromium, address, width=picture.width, scheme=picture.scheme) as page:
                page.set_viewport_size({"width": picture.width, "height": picture.height})
                data = take(page, address, picture)
            (FOLDER / f"{picture.name}.png").write_bytes(data)
            print(f"{picture.name}.png  {len(data) // 1000} kB")
        chromium.close()


if __name__ == "__main__":
    main()
