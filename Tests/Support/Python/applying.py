"""Applies a changeset to a snapshot. The code follows the text of the protocol and is independent of other implementations."""

CELLS = {"updateCells", "deleteCells", "insertCells", "moveCells"}
SECTIONS = {"insertSections", "deleteSections", "moveSections", "updateSections"}
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
    for stage in changeset["stages"]:
        require(stage and (stage.keys() <= CELLS or stage.keys() <= SECTIONS), f"a stage has {sorted(stage)}")
        step = change_cells if stage.keys() <= CELLS else change_sections
        result["sections"] = step(result["sections"], stage)
    return result


def change_cells(sections, stage):
    sections = [{**section, "cells": list(section["cells"])} for section in sections]
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
