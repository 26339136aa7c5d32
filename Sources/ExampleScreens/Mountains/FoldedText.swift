import Foundation

/// A text without case and accents, for searching and sorting: `snaefellsjokull` for `Snæfellsjökull`. Folded texts are ordered by their
/// bytes, because the order of strings depends on the version of the Unicode tables.
struct FoldedText: Hashable {
    let text: String

    init(_ text: String) {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        self.text = folded.utf8.allSatisfy { $0 < 0x80 } ? folded : Self.replacingLetters(of: folded)
    }

    func contains(_ part: FoldedText) -> Bool {
        text.contains(part.text)
    }

    private static func replacingLetters(of folded: String) -> String {
        folded.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
    }

    // Replacements for letters that Unicode does not decompose, and for characters that keyboards lack.
    private static let replacements: [Character: String] = [
        "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "’": "'", "ʻ": "'", "–": "-", "\u{A0}": " ", "\u{202F}": " ",
    ]
}

extension FoldedText: Comparable {
    static func < (left: FoldedText, right: FoldedText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
