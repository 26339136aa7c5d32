"""Applies a changeset to a snapshot. The code follows the text of the protocol and is independent of other implementations."""

# The possible stages, in their order. A stage has at least one of its operations, and no other operation.
STAGES = [
    {"updateCells"}, {"insertSections"}, {"deleteCells", "insertCells", "moveCells"}, {"deleteSections", "moveSections"},
    {"updateSections"},
]
VIEWS = ("header", "footer", "supplementary")


class ChangesetMismatch(Exception):
    """An error that is raised if a changeset cannot be applied to a snapshot."""


def apply(snapshot, changeset):
    """Returns the snapshot that results from applying the changeset. The given snapshot is not modified."""
    require(changeset["from"] == snapshot["version"], "it is from another version")
    require(changeset["screen"] == snapshot["screen"], "it is of another screen")
    result = {**snapshot, "version": changeset["version"]}
    result.pop("reason", None)
    if changeset.get("title") is not None:
        result["title"] = changeset["title"]
    last = -1
    for stage in changeset["stages"]:
        place = next((number for number, operations in enumerate(STAGES) if stage and stage.keys() <= operations), -1)
        require(place > last, f"a stage has {sorted(stage)}, or is not in its place")
        last = place
        step = change_cells if "Cells" in next(iter(stage)) else change_sections
        result["sections"] = step(result["sections"], stage)
    check_identifiers(snapshot["sections"], changeset["stages"])
    return result


def check_identifiers(sections, stages):
    """Checks that each inserted section and cell is new. One that was there before can only be moved and updated."""
    inserted = [one["section"] for stage in stages for one in stage.get("insertSections", [])]
    require(not identifiers(inserted) & identifiers(sections), "a section is inserted that was there before")
    cells = {cell["id"] for stage in stages for one in stage.get("insertCells", []) for cell in one["cells"]}
    require(not (cells | cell_identifiers(inserted)) & cell_identifiers(sections), "a cell is inserted that was there before")


def identifiers(values):
    return {value["id"] for value in values}


def cell_identifiers(sections):
    return {cell["id"] for section in sections for cell in section["cells"]}


def change_cells(sections, stage):
    sections = [{**section, "cells": list(section["cells"])} for section in sections]
    once(update["at"] for update in stage.get("updateCells", []))
    for update in stage.get("updateCells", []):
        cells, item = at(sections, update["at"][0])["cells"], update["at"][1]
        require(at(cells, item)["id"] == update["cell"]["id"], "a cell is updated with another")
        cells[item] = update["cell"]
    deletes = [(section, item + k) for section, item, count in stage.get("deleteCells", []) for k in range(count)]
    moves = [((a, b + k), (c, d + k)) for a, b, c, d, count in stage.get("moveCells", []) for k in range(count)]
    inserts = [((one["at"][0], one["at"][1] + k), cell)
               for one in stage.get("insertCells", []) for k, cell in enumerate(one["cells"])]
    arriving = inserts + [(target, at(at(sections, source[0])["cells"], source[1])) for source, target in moves]
    for section, item in reversed(once(deletes + [source for source, _ in moves])):
        at(sections[section]["cells"], item)
        del sections[section]["cells"][item]
    for section, item in once(target for target, _ in arriving):
        require(item <= len(at(sections, section)["cells"]), "there is no such place")
        sections[section]["cells"].insert(item, None)
    for (section, item), cell in arriving:
        sections[section]["cells"][item] = cell
    return sections


def change_sections(sections, stage):
    sections = list(sections)
    arriving = [(one["at"], one["section"]) for one in stage.get("insertSections", [])]
    arriving += [(target, at(sections, source)) for source, target in stage.get("moveSections", [])]
    for place in reversed(once(stage.get("deleteSections", []) + [source for source, _ in stage.get("moveSections", [])])):
        at(sections, place)
        del sections[place]
    for place in once(place for place, _ in arriving):
        require(place <= len(sections), "there is no such place")
        sections.insert(place, None)
    for place, section in arriving:
        sections[place] = section
    once(update["at"] for update in stage.get("updateSections", []))
    for update in stage.get("updateSections", []):
        kept = {key: value for key, value in at(sections, update["at"]).items() if key not in VIEWS}
        sections[update["at"]] = {**kept, **{key: update[key] for key in VIEWS if key in update}}
    return sections


def once(places):
    ordered = sorted(places)
    require(all(one != other for one, other in zip(ordered, ordered[1:])), "a place is named twice")
    return ordered


def at(values, place):
    require(0 <= place < len(values), "there is no such place")
    return values[place]


def require(condition, reason):
    if not condition:
        raise ChangesetMismatch(reason)
