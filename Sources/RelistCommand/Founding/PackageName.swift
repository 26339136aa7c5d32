/// A name that a package, its folder and its module can have.
struct PackageName: Equatable {
    let text: String

    static let limit = 50

    init(_ text: String) throws(FoundingFault) {
        guard Self.isIdentifier(text) else { throw .name(text, .notAnIdentifier) }
        guard text.utf8.count <= Self.limit else { throw .name(text, .tooLong) }
        guard !Self.keywords.contains(text) else { throw .name(text, .keyword) }
        // File systems without case would take them for one.
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

    /// A module has no name that has to stand in backticks, and the compiler keeps `main` for itself.
    private static let keywords: Set = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import", "in", "init", "inout", "internal", "is", "let", "main", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]

    /// Modules that the package is built with, in lower case.
    private static let modules = Set((own + others).map { $0.lowercased() })

    private static let own = [
        "CAllocator", "CCurl", "CMicroHTTPD", "CPostgres", "CXXHash", "ExampleRecords", "ExampleScreens", "HTTPClient", "HTTPServer", "Relist",
        "RelistCommand", "RelistExamples", "RelistPage", "RelistPostgres",
        "RelistTesting", "RelistTokens", "ScreenDiff", "ScreenHTTP", "ScreenModel", "ScreenService", "ScreenWire", "RelistSQLite",
    ]

    /// Of the toolchain, and of the packages that come along.
    private static let others = [
        "ArgumentParser", "ArgumentParserToolInfo", "Builtin", "CDispatch", "Cxx", "CxxStdlib", "Dispatch", "Crypto", "CryptoExtras",
        "Distributed", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc", "GRDB", "GRDBSQLite", "JWTKit",
        "Logging", "Musl", "Observation", "PackageDescription", "PackagePlugin", "RegexBuilder", "Runtime", "Swift", "SwiftASN1", "SwiftGlibc",
        "SwiftShims", "Synchronization", "Testing", "X509", "XCTest",
    ]
}
