"""Compares the output that a page of the documentation shows with the real output."""

import re

# Matches a version. Versions differ between databases, but equal versions on a page are equal in the real output.
VERSION = re.compile(r"\b[a-z2-7]{26}\b")


class Expected:
    """The output that a page shows. Line breaks in JSON are ignored, and `…` matches any text."""

    def __init__(self, text, versions):
        """`versions` maps the versions that the page has shown so far to the real versions."""
        self.is_json = text.startswith("{")
        lines = [line.strip() if self.is_json else line.rstrip() for line in text.splitlines()]
        shown = ("" if self.is_json else "\n").join(lines)
        self.known, self.names = versions, {}
        pattern = r".*?".join(self.literal(part.strip(" ")) for part in shown.split("…"))
        self.pattern = re.compile(pattern, re.S)

    def literal(self, text):
        parts, end = [], 0
        for match in VERSION.finditer(text):
            parts += [re.escape(text[end:match.start()]), self.version(match.group())]
            end = match.end()
        return "".join(parts) + re.escape(text[end:])

    def version(self, shown):
        if shown in self.known:
            return self.known[shown]
        if shown in self.names:
            return f"(?P={self.names[shown]})"
        self.names[shown] = f"v{len(self.names)}"
        return f"(?P<{self.names[shown]}>[a-z2-7]{{26}})"

    def take(self, answer, is_whole=True):
        """Returns a match if the real output is as shown, and None otherwise. If `is_whole` is False, only the beginning of the output is
        compared. A match adds the real versions to `known`."""
        match = self.pattern.fullmatch(answer.strip("\n")) if is_whole else self.pattern.match(answer)
        if match:
            self.known.update({shown: match.group(name) for shown, name in self.names.items()})
        return match
