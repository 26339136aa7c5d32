import Testing

@testable import RelistCommand

@Suite("The columns of a text in the terminal") struct TextColumnsTests {
    @Test func wideCharactersTakeTwoColumnsAndCombiningMarksNone() {
        #expect("abc".columns == 3 && "漢字".columns == 4 && "e\u{301}".columns == 1 && "👍".columns == 2)
    }

    @Test(arguments: 0...9) func aFittedTextIsNeverTooWide(columns: Int) {
        for text in ["漢字漢字漢字", "a漢b字c", "e\u{301}e\u{301}e\u{301}", "\u{301}a", "", "plain text"] {
            #expect(text.fitted(to: columns).columns <= columns && text.fittedEnd(to: columns).columns <= columns)
            #expect(text.unicodeScalars.starts(with: text.fitted(to: columns).unicodeScalars))
            #expect(text.unicodeScalars.reversed().starts(with: text.fittedEnd(to: columns).unicodeScalars.reversed()))
        }
    }

    @Test func aTextIsCutBeforeTheCharacterThatDoesNotFit() {
        #expect("漢字".fitted(to: 3) == "漢" && "漢字".fittedEnd(to: 3) == "字")
        #expect("ab".fitted(to: 2) == "ab" && "ab".fittedEnd(to: 2) == "ab")
    }

    @Test func charactersThatControlTheTerminalOrTheDirectionOfTextAreRemoved() {
        #expect("a\u{1B}[31m\nb".printable == "a [31m b")
        #expect("a\u{202E}b\u{200B}c\u{2066}d\u{FEFF}e".printable == "abcde")
        #expect("a\u{2028}b\u{2029}c".printable == "a b c")
        #expect("❤\u{FE0F}".printable == "❤")
    }

    @Test func longRunsOfCombiningMarksAreShortened() {
        let text = ("e" + String(repeating: "\u{301}", count: 100_000) + "x\u{301}").printable
        #expect(text.unicodeScalars.count == 11 && text.hasSuffix("x\u{301}"))
    }
}
