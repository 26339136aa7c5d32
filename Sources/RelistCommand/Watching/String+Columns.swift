import Glibc

extension Unicode.Scalar {
    /// The number of columns that the terminal uses for the scalar. It is 0 for a combining mark. An unknown scalar counts as wide, so that
    /// a text is never wider than calculated.
    var columns: Int {
        if (0x20..<0x7F).contains(value) { return 1 }
        let width = Self.width?(wchar_t(value)) ?? -1
        return width < 0 ? 2 : Int(width)
    }

    /// The function `wcwidth` of the C library. Swift cannot import it, because its declaration needs `_XOPEN_SOURCE`. It knows only the
    /// characters of the locale; the locale `C.UTF-8` is part of glibc. The first access changes the locale of the process, so it must not
    /// happen while another thread can use the locale.
    static let width: (@convention(c) (wchar_t) -> CInt)? = {
        guard setlocale(LC_CTYPE, "C.UTF-8") != nil, let symbol = dlsym(nil, "wcwidth") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> CInt).self)
    }()
}

extension String {
    /// The maximum number of combining marks of one character.
    private static let markLimit = 8

    /// The text without characters that could control the terminal, change the direction of its text, or change the width of other
    /// characters. Superfluous combining marks are removed.
    var printable: String {
        var (result, marks) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                result.append(" ")
                marks = 0
            case .format: continue
            case _ where scalar.properties.isVariationSelector: continue
            default:
                marks = scalar.columns == 0 ? marks + 1 : 0
                if marks <= Self.markLimit { result.append(scalar) }
            }
        }
        return String(result)
    }

    /// The number of columns that the terminal uses for the text.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Returns the beginning of the text, as far as it fits into the given number of columns.
    func fitted(to columns: Int) -> String {
        var rest = columns
        let end = unicodeScalars.firstIndex {
            rest -= $0.columns
            return rest < 0
        }
        return String(unicodeScalars[..<(end ?? endIndex)])
    }

    /// Returns the end of the text, as far as it fits into the given number of columns.
    func fittedEnd(to columns: Int) -> String {
        var rest = columns
        let last = unicodeScalars.lastIndex {
            rest -= $0.columns
            return rest < 0
        }
        return String(unicodeScalars[(last.map { unicodeScalars.index(after: $0) } ?? startIndex)...])
    }
}
