"""What a document shows of an answer, compared with the answer."""

import re

# A version differs from one database to another; where one stands twice, it is the same.
VERSION = re.compile(r"\b[a-z2-7]{26}\b")


class Expected:
    """Text that is shown: lines of JSON are broken for reading, and `…` stands for anything."""

    def __init__(self, text, versions):
        """`versions`: what those that were shown before are in truth."""
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
        """Whether it is the answer, or how it begins. Where it is, the versions are known from then on."""
        match = self.pattern.fullmatch(answer.strip("\n")) if is_whole else self.pattern.match(answer)
        if match:
            self.known.update({shown: match.group(name) for shown, name in self.names.items()})
        return match
