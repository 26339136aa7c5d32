"""The pages of documentation and their code blocks, in order."""

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "Examples/Groceries"
README = ROOT / "README.md"
PAGES = [
    README, *sorted((ROOT / "Documentation").glob("*.md")), *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY")),
    *sorted((ROOT / "Sources").glob("*/README.md")),
]


@dataclass
class Block:
    page: pathlib.Path
    line: int
    language: str
    text: str

    @property
    def place(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page, language=None):
    """Returns the fenced code blocks of a page, or only the blocks in a language."""
    found, start = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if start is None and line.startswith("```"):
            start, name, lines = number, line[3:].strip(), []
        elif start is not None and line == "```":
            found.append(Block(page, start, name, "".join(lines)))
            start = None
        elif start is not None:
            lines.append(line + "\n")
    assert start is None, f"{page}:{start} does not end"
    return [block for block in found if language in (None, block.language)]


def all_blocks(language=None):
    return [block for page in PAGES for block in blocks(page, language)]


def is_of_the_example(block):
    """Returns whether a file of the example contains the text of a block. Such a block is compiled as a part of the example."""
    return any(block.text in file.read_text() for file in EXAMPLE.rglob("*.swift") if ".build" not in file.parts)


def links(page):
    """Returns the targets of the links and pictures of a page, if they are within the repository."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


def anchors(page):
    """Returns the anchors of the headings of a page, as GitHub derives them."""
    headings = re.findall(r"(?m)^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.S))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
