import pathlib
import tempfile
import unittest

import prose


class ProseTest(unittest.TestCase):
    def findings(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.write_text(text)
            return [number for number, _ in prose.findings(file)]

    def test_a_summary_that_opens_with_a_question_word_is_found_in_each_language(self):
        self.assertEqual(self.findings("a.swift", "let a = 1\n/// What it holds.\n/// What follows is no summary.\nlet b = 2\n"), [2])
        self.assertEqual(self.findings("a.js", "/**\n * Whether it is.\n * Whether it was.\n */\n"), [2])
        self.assertEqual(self.findings("a.py", 'def f():\n    """Who asks."""\n'), [2, 2])

    def test_words_to_avoid_are_found_outside_of_code_and_quotations(self):
        self.assertEqual(self.findings("a.md", "A view at hand.\n\n```text\nat hand\n```\n\n`at hand` and “at hand”\n"), [1])
        self.assertEqual(self.findings("a.swift", "// Nobody waits.\nlet nobody = 1\n"), [1])

    def test_a_test_name_that_opens_with_a_question_word_is_found(self):
        self.assertEqual(self.findings("a.swift", "@Test func whatMovesIsNotPutInAgain() {}\n"), [1])
        self.assertEqual(self.findings("a_test.py", "def test" "_who_asks_is_known(self): pass\n"), [1])

    def test_a_subject_has_an_area_and_72_characters(self):
        def check(subject):
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                file.write(subject)
                file.flush()
                return prose.main(["--subject", file.name])

        self.assertEqual(check("History: evict by last use\n\nA reason that may be as long as it likes."), 0)
        self.assertEqual(check("evict by last use"), 1)
        self.assertEqual(check("History: " + "e" * 64), 1)


if __name__ == "__main__":
    unittest.main()
