"""Finds uses of declarations that are newer than the supported systems."""

import re
from collections import defaultdict, namedtuple

from declarations import WORD, Declaration, labels, without_generics

Use = namedtuple("Use", "file line text")

# The modules of Apple's systems. Foundation includes FoundationEssentials.
MODULES = {system: {"Foundation", "Observation", "os", "Darwin", "Swift", kit} for system, kit in [("iOS", "UIKit"), ("macOS", "AppKit")]}
# The types that a receiver of unknown type may have.
COMMON = {"Array", "Dictionary", "Set", "String", "Substring"}


def names(declarations, *kinds):
    return {one.name for one in declarations if one.kind in kinds and not one.name.startswith("_")}


def results(declarations):
    found = defaultdict(set)
    for one in declarations:
        if one.result and not one.labels:
            found[one.name + ("()" if one.kind == "func" else "")].add(one.result)
    return found


class Table:
    """A table of the names that only declarations newer than the supported systems have."""

    def __init__(self, declarations, own=()):
        """Creates the table. A name that is also in `own`, the declarations of the sources, refers to the sources."""
        own = list(own)
        newer = [one for one in declarations if one.is_newer]
        older = [one for one in declarations if not one.is_newer] + own
        new_types = {one.name for one in newer if one.kind == "type"} - {one.name for one in older if one.kind == "type"}
        # Members of a newer type are left out, because each use of them also names the type.
        newer = [one for one in newer if new_types.isdisjoint(one.owner.split("."))]
        self.types = names(newer, "type") & new_types
        self.members = names(newer, "var", "func") - names(older, "var", "func")
        self.labels = self._labels(newer, older)
        # The types of properties and functions without arguments, by name. Types in the sources replace those in the modules.
        self.results = results(older) | results(own)
        self.of_types = {(one.owner, one.name) for one in newer if one.kind in ("var", "func")}
        self.of_types -= {(one.owner, one.name) for one in older}
        self.of_common = {name for owner, name in self.of_types if owner in COMMON} - names(own, "var", "func")

    @staticmethod
    def _labels(newer, older):
        """Returns, for each function, the labels that only its newer overloads have."""
        found = defaultdict(set)
        for one in newer:
            if one.labels:
                found[one.name].update(label for label in one.labels if re.fullmatch(WORD, label) and label != "_")
        for one in older:
            found[one.name].difference_update(one.labels or ())
        return found

    def uses(self, code, file):
        """Returns the uses in Swift code of declarations in the table."""
        types = self.results | results(declared(code))
        code = without_newer(without_texts(code))
        found = {}
        for system, modules in MODULES.items():
            there = compiled(code, system)
            for place, text in sorted([*imports(there, modules), *self._uses(there, types)]):
                found[Use(file, there.count("\n", 0, place) + 1, text)] = None
        return list(found)

    def _uses(self, code, types):
        for match in re.finditer(WORD, code):
            name, before, after = match[0], code[:match.start()].rstrip(), code[match.end():match.end() + 1]
            is_member = before.endswith(".") and not before.endswith("..")
            if name in self.types or (name in self.members and (is_member or after == "(")):
                yield match.start(), name
            elif is_member and self._is_newer(name, before[:-1].rstrip(" \n?!"), types):
                yield match.start(), f".{name}"
            elif after == ":" and before.endswith(("(", ",")) and name in self._called(before):
                yield match.start(), f"{name}:"

    def _is_newer(self, name, receiver, types):
        """Returns whether a member is newer. The type of the property or function before the member decides this."""
        last = re.search(rf"{WORD}(?:\(\))?$", receiver)
        known = types.get(last[0]) if last else None
        return any((one, name) in self.of_types for one in known) if known else name in self.of_common

    def _called(self, before):
        """Returns the newer labels of the function whose call the code is in."""
        depth = 0
        for index in range(len(before) - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(before[index], 0)
            if depth < 0:
                called = re.search(rf"({WORD})[?!]?$", before[:index])
                if called:
                    return self.labels["init" if called[1][0].isupper() else called[1]]
                break
        return ()


def imports(code, modules):
    """Yields the imports of modules that Apple's systems lack."""
    kinds = "struct|class|enum|protocol|func|var|let|typealias"
    for match in re.finditer(rf"^[ \t]*(?:@?\w+[ \t]+)*import[ \t]+(?:(?:{kinds})[ \t]+)?({WORD})", code, flags=re.M):
        if match[1] not in modules and not match[1].startswith("Screen"):
            yield match.start(1), f"import {match[1]}"


def declared(code):
    """Yields the declarations in source code."""
    code = without_texts(code)
    for kind, name in re.findall(rf"\b(struct|class|enum|protocol|actor|typealias|associatedtype|var|let|func|case) `?({WORD})", code):
        yield Declaration("", kind if kind == "func" else "var" if kind in ("var", "let", "case") else "type", name, None, "", False)
    for name, type in re.findall(rf"\b({WORD}): (?:inout |borrowing |consuming )?(\[[\w.<>]+:|\[|[\w.]+)", code):
        type = type if type[0] != "[" else "Dictionary" if type.endswith(":") else "Array"
        yield Declaration("", "value", name, None, type, False)
    for match in re.finditer(rf"\b(?:(init)[?!]?|func ({WORD}))(?=[<(])", code):
        parameters = without_generics(code[match.end():])
        yield Declaration("", "init" if match[1] else "func", match[1] or match[2], labels(parameters), "", False)


def without_texts(code):
    """Returns the code without comments and string literals. Interpolations and line breaks are kept."""
    def kept(match):
        text = next((text for text in match.group(3, 5, 6) if text is not None), "")
        parts = re.findall(r"\\#*(\((?:[^()]|\([^()]*\))*\))", text)
        return " ".join(parts).replace("\n", " ") + "\n" * match[0].count("\n")

    comments = r"(//[^\n]*|/\*.*?\*/)"
    texts = r'(#*)"""(.*?)"""\2|(#+)"([^\n]*?)"\4|"((?:[^"\\\n]|\\.)*)"'
    return re.sub(f"{comments}|{texts}", kept, code, flags=re.S)


def without_newer(code):
    """Returns the code without the blocks that only newer systems run. Line breaks are kept."""
    kept, rest = "", code
    while match := re.search(r"\bif #available\([^)]*\)\s*\{", rest):
        depth, end = 1, match.end()
        while depth and end < len(rest):
            depth += {"{": 1, "}": -1}.get(rest[end], 0)
            end += 1
        kept, rest = kept + rest[:match.start()] + "\n" * rest.count("\n", match.start(), end), rest[end:]
    return kept + rest


def compiled(code, system):
    """Returns the code that is compiled on a system. All other lines are empty."""
    def holds(condition):
        """Returns whether a condition of `#if` is true on the system. A flag is always false."""
        condition = re.sub(rf"canImport\(({WORD})[^)]*\)", lambda module: str(module[1] in MODULES[system]), condition)
        condition = re.sub(r"os\((\w+)\)", lambda named: str(named[1] == system), condition)
        condition = re.sub(r"(swift|compiler)\([^)]*\)", "True", condition)
        condition = re.sub(rf"\b(?!True\b|False\b){WORD}(\([^)]*\))?", "False", condition)
        return eval(condition.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip())

    kept, branches = [], []
    for line in code.splitlines():
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if directive:
            word, condition = directive[1], directive[2]
            if word == "if":
                branches.append([holds(condition), holds(condition)])
            elif word == "endif":
                branches.pop()
            else:
                was_taken = branches[-1][1]
                is_taken = not was_taken and (word == "else" or holds(condition))
                branches[-1] = [is_taken, was_taken or is_taken]
        is_compiled = not directive and all(taken for taken, _ in branches)
        kept.append(line if is_compiled else "")
    return "\n".join(kept)
