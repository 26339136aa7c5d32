"""Writes a package with the Swift code of the documentation. Each page becomes a target, and each code block becomes a file. The target is a
program if the page has a `@main`, and otherwise a library.

The code for apps in `Clients.md` and `Migrating.md` is left out, because `Tests/AppleTests` compiles it.
"""

import pathlib
import shutil
import sys

import pages

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "documentation",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "relist", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        %s
    ]
)
"""
TARGET = """\
.%s(
            name: "%s",
            dependencies: [
                .product(name: "Relist", package: "relist"), .product(name: "RelistPostgres", package: "relist"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),"""


def write(folder):
    shutil.rmtree(folder, ignore_errors=True)
    targets = []
    for page in pages.PAGES:
        if page.name in ("Clients.md", "Migrating.md"):
            continue
        snippets = [block for block in pages.blocks(page, "swift") if not pages.is_of_the_example(block)]
        if not snippets:
            continue
        kind = "executableTarget" if any("@main" in block.text for block in snippets) else "target"
        targets.append((kind, page.stem))
        sources = folder / "Sources" / page.stem
        sources.mkdir(parents=True)
        for block in snippets:
            # This line makes the compiler report errors with their place on the page.
            place = f'#sourceLocation(file: "{pages.ROOT / page}", line: {block.line + 1})\n'
            (sources / f"Line{block.line}.swift").write_text(place + block.text)
    (folder / "Package.swift").write_text(MANIFEST % "\n        ".join(TARGET % target for target in targets))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
