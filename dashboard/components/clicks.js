// Whether a row or a point was clicked anew, as Python counts it. One reached with the arrow keys is
// not yet meant: then the page only shows its link.

let counted = 0;
let pointed = false;

addEventListener("pointerdown", () => (pointed = true), true);
addEventListener("keydown", () => (pointed = false), true);

function isClickedAnew(clicks) {
  const isNew = clicks > counted;
  counted = clicks;
  return isNew && pointed;
}

