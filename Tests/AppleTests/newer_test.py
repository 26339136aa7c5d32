"""Checks that code for apps uses nothing newer than iOS 17 and macOS 14, which no compiler checks on Linux."""

import pathlib
import unittest

from declarations import interfaces, read
from uses import Table, declared

ROOT = pathlib.Path(__file__).parents[2]
TARGETS = ("ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient", "ScreenTesting")
SOURCES = [file for name in TARGETS for file in sorted((ROOT / "Sources" / name).rglob("*.swift"))]
DECLARATIONS = [one for module, text in interfaces() for one in read(text, module)]


class NewerTest(unittest.TestCase):
    maxDiff = None

    def test_the_libraries_for_apps_use_no_declaration_newer_than_supported_systems(self):
        own = [one for file in SOURCES for one in declared(file.read_text())]
        table = Table(DECLARATIONS, own)
        uses = [use for file in SOURCES for use in table.uses(file.read_text(), str(file.relative_to(ROOT)))]
        self.assertEqual([f"{use.file}:{use.line} {use.text}" for use in uses], [])
        self.assertGreater(len(SOURCES), 30)

    def test_the_table_has_known_declarations_of_the_toolchain(self):
        newer = {(one.owner, one.name) for one in DECLARATIONS if one.is_newer}
        self.assertGreater(len(newer), 300)
        for one in [("", "Mutex"), ("", "InlineArray"), ("Array", "span"), ("String.UTF8View", "span"), ("", "Int128")]:
            self.assertIn(one, newer)
        for one in [("", "Span"), ("ArraySlice", "span"), ("Sequence", "count"), ("Array", "count"), ("", "Clock")]:
            self.assertNotIn(one, newer)

    def found(self, code, own=""):
        return [use.text for use in Table(DECLARATIONS, list(declared(own))).uses(code, "")]

    def test_uses_of_newer_types_are_reported(self):
        self.assertEqual(self.found("let a = Mutex(0)\nvar b: InlineArray<2, Int>"), ["Mutex", "InlineArray"])
        self.assertEqual(self.found("let a: [UInt128]?"), ["UInt128"])

    def test_uses_of_newer_members_are_reported(self):
        self.assertEqual(self.found("if String(validating: bytes, as: UTF8.self) == nil {}"), ["validating:"])
        self.assertEqual(self.found("String(\n  validating: f(a, b),\n  as: UTF8.self)"), ["validating:"])
        self.assertEqual(self.found("let a = text.utf8.span"), [".span"])
        self.assertEqual(self.found("let a = text.utf8Span"), ["utf8Span"])
        self.assertEqual(self.found("f(list.indices(where: { $0 }))"), ["where:"])
        self.assertEqual(self.found("a.removeSubranges(b)"), ["removeSubranges"])
        self.assertEqual(self.found("let a = list.span, b = list.enumerated().count"), [".span", ".count"])
        self.assertEqual(self.found("group.addTask(executorPreference: a) {}"), ["executorPreference:"])

    def test_code_in_string_interpolations_is_checked(self):
        self.assertEqual(self.found(r'print("a \(text.utf8.span.count) b")'), [".span"])

    def test_imports_of_modules_that_apple_systems_lack_are_reported(self):
        code = "import ScreenModel\npublic import FoundationEssentials\nimport Glibc\nimport Foundation\n@testable import Synchronization"
        self.assertEqual(self.found(code), ["import FoundationEssentials", "import Glibc", "import Synchronization"])
        self.assertEqual(self.found("#if canImport(UIKit)\nimport UIKit\n#else\nimport UIKit\nimport AppKit\n#endif"), ["import UIKit"])

    def test_newer_declarations_are_allowed_in_code_for_other_systems(self):
        code = "#if canImport(os)\nimport os\n#else\nimport Synchronization\nlet a = Mutex(0)\n#endif\n{}"
        self.assertEqual(self.found(code.format("")), [])
        self.assertEqual(self.found(code.format("let b = Mutex(0)")), ["Mutex"])
        self.assertEqual(self.found("#if !canImport(UIKit) && !canImport(AppKit)\nMutex\n#endif"), [])
        self.assertEqual(self.found("#if os(Linux)\nMutex\n#elseif os(macOS) || os(iOS)\nAtomic\n#else\nInt128\n#endif"), ["Atomic"])

    def test_newer_declarations_are_allowed_in_blocks_for_newer_systems(self):
        code = "if #available(iOS 18, macOS 15, *) {\n    if a { Int128(1) }\n}\n{}"
        self.assertEqual(self.found(code.replace("{}", "")), [])
        self.assertEqual(self.found(code.replace("{}", "Mutex")), ["Mutex"])
        uses = Table(DECLARATIONS).uses(code.replace("{}", "Mutex"), "")
        self.assertEqual([use.line for use in uses], [4])

    def test_code_without_newer_declarations_is_not_reported(self):
        for code in [
            "let a = list.count + list.indices.count", "for (a, b) in list.enumerated() {}", "let frame: Frame",
            "list.indices.first { $0 > 1 }", "list.count(where: { $0 })", "let span = 1; f(span, span: 2)", "self.name = name",
            "func encode(_ value: Int) {}", "a.withUTF8 { $0.isEmpty }", "var count: Int", "a.next()", "x.path = image.address",
            "// Mutex", '"Mutex \\" Mutex"', '#"a "Mutex" b"#', '"""\n  Mutex\n"""', "/* Mutex\n Mutex */", ".map(\\.description)",
            "slice.firstIndex(of: a)", "S(base: 1)", "import struct Foundation.UUID",
        ]:
            self.assertEqual(self.found(code), [], code)

    def test_declarations_of_the_sources_are_not_reported(self):
        own = "struct Document {\n  let span: Range<Int>\n  init(validating text: String) {}\n}\nstruct Mutex {}"
        self.assertEqual(self.found("let a = document.span", own), [])
        self.assertEqual(self.found("let a = Mutex(), b = Document(validating: c)", own), [])

    def test_members_are_resolved_by_the_types_that_the_sources_declare(self):
        own = "var new: [Int]\nvar old: ContiguousArray<Int>\nfunc f(_ both: inout ContiguousArray<Int>) {}\nvar both: [Int]"
        self.assertEqual(self.found("let a = new.span", own), [".span"])
        self.assertEqual(self.found("let a = old.span", own), [])
        self.assertEqual(self.found("let a = both.mutableSpan", own), [".mutableSpan"])
        self.assertEqual(self.found("func f(both: ContiguousArray<Int>) { both.span }", own), [])

    def test_reported_line_numbers_include_lines_within_string_literals(self):
        uses = Table(DECLARATIONS).uses('let a = """\n  b\n  """\n/* c\n */\nlet d: Mutex<Int>', "")
        self.assertEqual([use.line for use in uses], [6])
        self.assertEqual(self.found('let a = "http://b" + Mutex("//")'), ["Mutex"])


if __name__ == "__main__":
    unittest.main()
