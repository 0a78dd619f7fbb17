"""Made-up data for tests of what holds for any: the same in each run."""

import functools
import random
import re

CASES = 60


def for_any(test):
    """The test with made-up data of many cases, the same ones in each run; an error says which one it was."""

    @functools.wraps(test)
    def every():
        for case in range(CASES):
            try:
                test(Draw(f"{test.__name__} {case}"))
            except Exception as error:
                error.add_note(f"case {case} of {test.__name__}")
                raise

    del every.__wrapped__  # pytest would take what is drawn for a fixture
    return every


class Draw(random.Random):
    """Data of one case; few things as often as many, and now and then none."""

    def some(self, make, least=0, most=6):
        return [make() for _ in range(self.randint(least, most))]

    def size(self):
        """A number above 0 of any power of ten that is told here."""
        return self.uniform(1, 10) * 10.0 ** self.randint(-7, 11)

    def signed(self):
        return self.choice([-1, 1]) * self.size()

    def text(self, letters, least=0, most=8):
        return "".join(self.some(lambda: self.choice(letters), least, most))

    def hostile(self):
        """What breaks tables and pages, among other text."""
        return self.text("a1 |\\`*_[]<>&#\"',;\n\r\t{}~\u00e9\u202f", 0, 12)

    def lines(self):
        return self.some(lambda: [self.hostile() for _ in range(3)], 1, 4)


def digits_of(text):
    """How many significant digits a text has."""
    return len(re.sub(r"e.*|\D", "", text).lstrip("0"))
