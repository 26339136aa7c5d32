"""What the documents show: their blocks, in order."""

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "Examples/Groceries"
PAGES = [ROOT / "README.md", *sorted((ROOT / "Documentation").glob("*.md"))]


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
    """The fenced blocks of a page, all or those in a language."""
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
    """Whether a block stands in the example as it does here, and so is compiled and tested there."""
    return any(block.text in file.read_text() for file in EXAMPLE.rglob("*.swift") if ".build" not in file.parts)


def links(page):
    """The targets of links and pictures, but for those that lead elsewhere."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
