"""How close two numbers must be to count as equal. Scores are fractions in floating point."""

# Two scores that are equal as fractions differ by a few 1e-16 when they are summed in another
# order; two that differ do so by more than this unless the corpus has millions of links.
TOLERANCE = 1e-12
# The same for sorting and counting distinct values: scores are rounded to this many places.
PLACES = 12
# Counts and sums of shares grow with the corpus, and their rounding errors with them: one that is
# this close to a whole number is whole.
WHOLE = 5e-9
# A quotient this little under a whole number of steps reaches it: 0.3 / 0.1 is 2.9999999999999996.
STEP = 1e-9
STEP_PLACES = 9
# Half of the last place of a percentage with two decimals: a smaller change prints as 0.00.
HALF_A_PLACE = 5e-5
# Sums of a few similarities of entities, each 1 at most or a number of mentions, that are equal as
# fractions differ by less than this.
SIMILARITY = 1e-13
