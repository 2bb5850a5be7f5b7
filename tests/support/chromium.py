"""Find Chromium for the browser tests, or install it: `python -m tests.support.chromium`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium():
    """The path of a Chromium: $CORESCORE_CHROMIUM, one on the path, or Playwright's own."""
    named = os.environ.get("CORESCORE_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    return named or _of_playwright()


def _of_playwright():
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_chromium():
    """Debian's package where that is possible, else Playwright's download."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update"], check=False, **quiet)
        installed = subprocess.run(
            ["apt-get", "install", "--yes", "chromium"], check=False, **quiet
        )
        if installed.returncode == 0:
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    if find_chromium() is None:
        print("Installing Chromium for the browser tests")
        install_chromium()
    print(f"Chromium: {find_chromium()}")
