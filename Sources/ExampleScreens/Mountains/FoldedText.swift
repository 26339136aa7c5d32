import Foundation

/// What is left of a text when case and accents are ignored: `Snæfellsjökull` is `snaefellsjokull`.
///
/// Names are found and sorted by it. Its order is that of its bytes, the same on every machine:
/// the order of strings follows the Unicode tables in use.
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

    // What Unicode knows as letters of their own, and what a keyboard has no key for.
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
