"""The uses that sources make of declarations that are newer than the systems that they are for."""

import re
from collections import defaultdict, namedtuple

from declarations import WORD, Declaration, labels, without_generics

Use = namedtuple("Use", "file line text")

# What can be imported there, beside modules of this package. Foundation has all of FoundationEssentials.
MODULES = {system: {"Foundation", "os", "Darwin", "Swift", kit} for system, kit in [("iOS", "UIKit"), ("macOS", "AppKit")]}
# Of a receiver of which nothing is known it is assumed that it may be one of these.
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
    """The names that tell a newer declaration from all older ones."""

    def __init__(self, declarations, own=()):
        """`own` are declarations of the sources themselves: what has their names is taken for theirs."""
        own = list(own)
        newer = [one for one in declarations if one.is_newer]
        older = [one for one in declarations if not one.is_newer] + own
        new_types = {one.name for one in newer if one.kind == "type"} - {one.name for one in older if one.kind == "type"}
        # Members of a type that is newer itself can only be had through its name.
        newer = [one for one in newer if new_types.isdisjoint(one.owner.split("."))]
        self.types = names(newer, "type") & new_types
        self.members = names(newer, "var", "func") - names(older, "var", "func")
        self.labels = self._labels(newer, older)
        # What is told by the name of a property or a function without arguments: by the sources, or else by the modules.
        self.results = results(older) | results(own)
        self.of_types = {(one.owner, one.name) for one in newer if one.kind in ("var", "func")}
        self.of_types -= {(one.owner, one.name) for one in older}
        self.of_common = {name for owner, name in self.of_types if owner in COMMON} - names(own, "var", "func")

    @staticmethod
    def _labels(newer, older):
        """The labels of each function's newer overloads that none of its older ones has."""
        found = defaultdict(set)
        for one in newer:
            if one.labels:
                found[one.name].update(label for label in one.labels if re.fullmatch(WORD, label) and label != "_")
        for one in older:
            found[one.name].difference_update(one.labels or ())
        return found

    def uses(self, code, file):
        """What Swift code uses of the table."""
        types = self.results | results(declared(code))
        code = without_texts(code)
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
        """Whether a member is newer, by what the name of a property or function before it says of its type."""
        last = re.search(rf"{WORD}(?:\(\))?$", receiver)
        known = types.get(last[0]) if last else None
        return any((one, name) in self.of_types for one in known) if known else name in self.of_common

    def _called(self, before):
        """The telling labels of what is called by the last parenthesis that is open."""
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
    """The imports of modules that are not there."""
    kinds = "struct|class|enum|protocol|func|var|let|typealias"
    for match in re.finditer(rf"^[ \t]*(?:@?\w+[ \t]+)*import[ \t]+(?:(?:{kinds})[ \t]+)?({WORD})", code, flags=re.M):
        if match[1] not in modules and not match[1].startswith("Screen"):
            yield match.start(1), f"import {match[1]}"


def declared(code):
    """What the sources declare themselves, anywhere."""
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
    """The code without comments and texts; what is interpolated stays, and so do the lines."""
    def kept(match):
        text = next((text for text in match.group(3, 5, 6) if text is not None), "")
        parts = re.findall(r"\\#*(\((?:[^()]|\([^()]*\))*\))", text)
        return " ".join(parts).replace("\n", " ") + "\n" * match[0].count("\n")

    comments = r"(//[^\n]*|/\*.*?\*/)"
    texts = r'(#*)"""(.*?)"""\2|(#+)"([^\n]*?)"\4|"((?:[^"\\\n]|\\.)*)"'
    return re.sub(f"{comments}|{texts}", kept, code, flags=re.S)


def compiled(code, system):
    """The code with empty lines for what is not compiled on a system."""
    def holds(condition):
        """Whether a condition of `#if` holds there; a flag does not."""
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
