#!/usr/bin/env python3
"""Finds sentences in comments, test names and pages that break the rules of CONTRIBUTING.md, "Plain English".

    prose.py FILE_OR_FOLDER…     prints file, line and rule of each finding; exits with 1 if there are any
    prose.py --subject FILE      checks the first line of a commit message
"""

import io
import pathlib
import re
import sys
import tokenize

# The words with which a summary must not open, because it should name its subject first.
OPENINGS = "What How Whether Has Had Those That Who Whoever Whom Whose Where Why As So Of It One Ones Also Such Lets".split()

# Words to avoid, with the words to use.
WORDS = {
    r"whoever|whomever|somebody|nobody|who (?:asks?|waits?|follows?|leaves?|comes|holds)": "name the caller, client, follower or code",
    r"at hand|to be had|be had": "cached, stored, available",
    r"deeds?": "handler, transaction, action",
    r"farewells?": "the word of the trade",
    r"(?:is|are|be|was) told": "receives, is notified, reports",
    r"under way": "in progress, pending",
    r"let(?:s|ting)? go of": "release, discard, evict",
    r"it stands with": "the state of",
    r"of (?:its|their) own accord|by itself": "automatically",
    r"(?:are|is) none of": "a plain statement",
}
WORD = re.compile("|".join(rf"\b(?P<w{n}>{pattern})\b" for n, pattern in enumerate(WORDS)), re.I)
OPENING = re.compile(rf"({'|'.join(OPENINGS)})\b")
SWIFT_NAME = re.compile(r"\bfunc (?:what|who|whoever|whose|where|that|so|as|of|how|why)[A-Z]\w*")
PYTHON_NAME = re.compile(r"\bdef test_(?:what|who|whoever|whose|where|that|so|as|of|how|why)_\w*")
SUBJECT = re.compile(r"[A-Z][\w /.+-]{1,29}: \S.*")
KINDS = {".swift", ".js", ".mjs", ".c", ".h", ".css", ".py", ".md"}


def swift_comments(text):
    """Yields the line number, the text, and whether it opens a summary, of each comment in Swift."""
    in_summary = False
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*(///?)\s?(.*)", line)
        yield from [(number, match[2], match[1] == "///" and not in_summary)] if match else []
        in_summary = bool(match) and match[1] == "///"


def c_comments(text):
    """Yields the line number, the text, and whether it opens a summary, of each comment in JavaScript, C and CSS."""
    for match in re.finditer(r"/\*(\*?)(.*?)\*/|(?<![:'\"])//(.*)", text, re.S):
        first = text.count("\n", 0, match.start()) + 1
        lines = (match[2] or match[3] or "").split("\n")
        stripped = [line.strip(" *") for line in lines]
        summary = next((n for n, line in enumerate(stripped) if line), None) if match[1] else None
        for n, line in enumerate(stripped):
            yield first + n, line, n == summary


def python_comments(text):
    """Yields the line number, the text, and whether it opens a summary, of each comment and docstring in Python."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# "), False
        elif token.type == tokenize.STRING and token.string.startswith('"""'):
            for n, line in enumerate(token.string.strip('"').split("\n")):
                yield token.start[0] + n, line.strip(), n == 0


def paragraphs(text):
    """Yields the number and the text of each line outside of code blocks in Markdown, and False, because it opens no summary."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        if not fenced:
            yield number, line, False


READERS = {".swift": swift_comments, ".py": python_comments, ".md": paragraphs}


def findings(path):
    """Yields the line number and the broken rule of each finding in a file."""
    text = path.read_text()
    for name, pattern in ((".swift", SWIFT_NAME), (".py", PYTHON_NAME)):
        if path.suffix == name:
            for match in pattern.finditer(text):
                yield text.count("\n", 0, match.start()) + 1, f"a name says what happens, not “{match[0].split()[-1]}”"
    for number, line, opens in READERS.get(path.suffix, c_comments)(text):
        plain = re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"", "…", line)
        if opens and (match := OPENING.match(plain)):
            yield number, f"a summary names its subject first, not “{match[0]}”"
        if match := WORD.search(plain):
            advice = list(WORDS.values())[next(int(key[1:]) for key, value in match.groupdict().items() if value)]
            yield number, f"instead of “{match[0]}” write: {advice}"


def files(places):
    for place in map(pathlib.Path, places):
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (path for path in inside if path.suffix in KINDS and not any(part.startswith(".") for part in path.parts[:-1]))


def main(arguments):
    if arguments[:1] == ["--subject"]:
        subject = pathlib.Path(arguments[1]).read_text().partition("\n")[0]
        if subject.startswith(("Merge ", "Revert ", "Reapply ", "fixup! ", "squash! ")) or (len(subject) <= 72 and SUBJECT.fullmatch(subject)):
            return 0
        print(f"The subject should be “Area: imperative summary” within 72 characters: {subject}", file=sys.stderr)
        return 1
    count = 0
    for path in files(arguments):
        for number, rule in findings(path):
            print(f"{path}:{number}: {rule}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
