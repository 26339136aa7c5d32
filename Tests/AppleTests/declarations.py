"""The declarations of the toolchain's modules that are newer than the oldest supported Apple systems."""

import pathlib
import re
import shutil
from collections import namedtuple

# The oldest supported macOS, as in the manifest. iOS needs no check, because each declaration came to both systems in the same year.
MACOS = (14, 0)
# The modules that apps can import without a package.
MODULES = ["Swift", "_Concurrency", "_StringProcessing", "Observation", "RegexBuilder", "Synchronization"]

# `owner` is the type of a member, or ""; `labels` are the labels of a function's parameters,
# or None; `result` is the type of a property or the result of a function, or "" if it is not a plain name.
Declaration = namedtuple("Declaration", "owner kind name labels result is_newer")

WORD = r"[A-Za-z_][A-Za-z0-9_]*"
KINDS = r"(?:class|struct|enum|protocol|actor|typealias|associatedtype|extension|func|init|subscript|var|let|case|macro)"
# Modifiers and attributes before the kind; an attribute may have arguments in one level of parentheses or two.
ATTRIBUTE = rf"@{WORD}(?:\((?:[^()]|\([^()]*\))*\))?"
HEAD = re.compile(rf"^(?:(?:{ATTRIBUTE}|#\w+|{WORD}(?:\({WORD}\))?)\s+)*?({KINDS})\b(?!\s*[:=(.]\s*$)")
AVAILABLE = re.compile(r"@available\(([^()]*)\)")


def interfaces():
    """Yields the interface of each module that the toolchain contains. On Linux, too, it states the availability on Apple's systems."""
    folder = pathlib.Path(shutil.which("swift")).resolve().parent.parent / "lib/swift/linux"
    for module in MODULES:
        file, = (one for one in (folder / f"{module}.swiftmodule").glob("*.swiftinterface") if ".private." not in one.name)
        yield module, file.read_text()


def is_newer(attributes):
    """Returns whether an `@available` attribute names a later macOS than the oldest supported one."""
    for arguments in AVAILABLE.findall(attributes):
        version = re.search(r"\bmacOS (\d+)(?:\.(\d+))?", arguments)
        if version and (int(version[1]), int(version[2] or 0)) > MACOS:
            return True
    return False


def labels(text):
    """Returns the labels of the parameters in the parentheses at the start of the text."""
    depth, parts, part = 0, [], ""
    for character in text:
        if character in "([{<":
            depth += 1
            if depth == 1:
                continue
        if character in ")]}>" and not part.endswith("-"):
            depth -= 1
            if depth == 0:
                break
        if character == "," and depth == 1:
            parts, part = parts + [part], ""
        else:
            part += character
    parts = [one.strip() for one in parts + [part] if one.strip()]
    return tuple(one.split(":")[0].split()[0] for one in parts)


def without_generics(text):
    """Returns the text without the generic parameters at its start."""
    if not text.startswith("<"):
        return text
    depth = 0
    for index, character in enumerate(text):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if depth == 0:
            return text[index + 1:]
    return text


def read(text, module):
    """Returns the declarations in the interface of a module."""
    # The enclosing types and extensions, each with whether it is newer than the supported systems. A body is None.
    scopes, attributes = [], ""
    for line in text.splitlines():
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).split("//")[0].strip()
        if not bare or bare.startswith("#"):
            continue
        opens = bare.count("{") - bare.count("}")
        in_body = bool(scopes) and scopes[-1] is None
        head = None if in_body else HEAD.match(bare)
        scope = None
        if not head:
            attributes = attributes + bare if bare.startswith("@") and not in_body else ""
        else:
            kind, rest = head[1], bare[head.end():].strip()
            owner, is_owner_newer = scopes[-1] if scopes else ("", False)
            newer = is_owner_newer or is_newer(attributes + bare)
            attributes = ""
            if kind in ("class", "struct", "enum", "protocol", "actor", "extension"):
                name = re.match(rf"(?:{WORD}\.)*{WORD}", rest)[0]
                name = re.sub(rf"^{module}\.", "", name) if kind == "extension" else (owner + "." if owner else "") + name
                scope = (name.removeprefix("Swift."), newer)
                if kind != "extension":
                    yield Declaration(owner, "type", name.rsplit(".", 1)[-1], None, "", newer)
            else:
                yield from members(owner, kind, rest, newer)
        for _ in range(max(opens, 0)):
            scopes.append(scope)
        for _ in range(max(-opens, 0)):
            scopes.pop()


def members(owner, kind, rest, newer):
    if kind in ("typealias", "associatedtype"):
        yield Declaration(owner, "type", re.match(WORD, rest)[0], None, "", newer)
    elif kind in ("init", "subscript"):
        yield Declaration(owner, kind, kind, labels(without_generics(rest.lstrip("?!"))), "", newer)
    elif kind == "func":
        name = re.match(WORD, rest)
        if name:  # Operators have none.
            result = re.search(r"\)[^)]*-> ([\w.]+)", rest)
            result = result[1].removeprefix("Swift.") if result else ""
            yield Declaration(owner, "func", name[0], labels(without_generics(rest[name.end():])), result, newer)
    elif kind in ("var", "let"):
        name = re.match(rf"`?({WORD})`?\s*(?::\s*([\w.]+))?", rest)
        yield Declaration(owner, "var", name[1], None, (name[2] or "").removeprefix("Swift."), newer)
    elif kind == "case":
        for name in re.findall(rf"({WORD})(?:\([^()]*\))?(?:,|$)", rest):
            yield Declaration(owner, "var", name, None, "", newer)
