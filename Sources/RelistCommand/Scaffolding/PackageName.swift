/// A valid name of a package, its folder and its module.
struct PackageName: Equatable {
    let text: String

    static let limit = 50

    init(_ text: String) throws(ScaffoldingFault) {
        guard Self.isIdentifier(text) else { throw .name(text, .notAnIdentifier) }
        guard text.utf8.count <= Self.limit else { throw .name(text, .tooLong) }
        guard !Self.keywords.contains(text) else { throw .name(text, .keyword) }
        // Upper and lower case are not distinguished, because some file systems do not distinguish them.
        guard !Self.modules.contains(text.lowercased()) else { throw .name(text, .module) }
        self.text = text
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ character: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character | 0x20)
    }

    /// Names that a module can have only if they are written in backticks, and the name `main`, which the compiler reserves.
    private static let keywords: Set = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import", "in", "init", "inout", "internal", "is", "let", "main", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]

    /// The names of the modules that the package is built with, in lower case.
    private static let modules = Set((own + others).map { $0.lowercased() })

    private static let own = [
        "CAllocator", "CBrotli", "CCurl", "CMicroHTTPD", "CPostgres", "CXXHash", "CZlib", "CZstd", "ContentCoding", "ExampleRecords",
        "ExampleScreens", "HTTPClient", "HTTPServer",
        "Relist", "RelistCommand", "RelistExamples", "RelistPage", "RelistPostgres", "RelistSQLite", "RelistTesting", "RelistTokens",
        "ScreenClient", "ScreenDiff", "ScreenHTTP", "ScreenModel", "ScreenService", "ScreenTesting", "ScreenWire",
    ]

    /// The names of modules of the toolchain and of dependencies.
    private static let others = [
        "ArgumentParser", "ArgumentParserToolInfo", "Builtin", "CDispatch", "CoreMetrics", "Cxx", "CxxStdlib", "Dispatch", "Crypto",
        "CryptoExtras", "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML",
        "Glibc", "GRDB", "GRDBSQLite", "JWTKit", "Logging", "Metrics", "Musl", "Observation", "PackageDescription", "PackagePlugin",
        "RegexBuilder",
        "Runtime", "Swift", "SwiftASN1", "SwiftGlibc", "SwiftShims", "Synchronization", "Testing", "X509", "XCTest",
    ]
}
