"""The table that `Benchmarks/run` prints."""

import statistics


def row(what, found, target="", holds=None):
    verdict = "" if holds is None else "holds" if holds else "missed"
    print(f"{what:<62}{found:<50}{target:<11}{verdict}", flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def median(values):
    return statistics.median(values)
