// swift-tools-version: 6.2
import Foundation
import PackageDescription

let package = Package(
    name: "relist",
    // For apps: `ScreenModel`, `ScreenDiff`, `ScreenWire`, `ScreenClient` and `ScreenTesting`. All else is for Linux.
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "Relist", targets: ["Relist"]),
        .library(name: "RelistTesting", targets: ["RelistTesting"]),
        .library(name: "ScreenModel", targets: ["ScreenModel"]),
        .library(name: "ScreenDiff", targets: ["ScreenDiff"]),
        .library(name: "ScreenWire", targets: ["ScreenWire"]),
        .library(name: "ScreenClient", targets: ["ScreenClient"]),
        .library(name: "ScreenTesting", targets: ["ScreenTesting"]),
        .library(name: "ScreenService", targets: ["ScreenService"]),
        .library(name: "RelistTokens", targets: ["RelistTokens"]),
        .library(name: "RelistSQLite", targets: ["RelistSQLite"]),
        .library(name: "RelistPostgres", targets: ["RelistPostgres"]),
        .library(name: "RelistExamples", targets: ["ExampleScreens", "ExampleRecords"]),
        .executable(name: "relist", targets: ["RelistCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "Resolves the packages that the server needs. An app turns it off by `traits: []`."),
        .trait(
            name: "Tokens", description: "Has the program `relist` verify tokens. Its cryptography takes minutes to build.",
            // So that `--traits Tokens`, which replaces the default, builds the server.
            enabledTraits: ["Server"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .target(name: "ScreenModel"),
        .target(name: "ScreenDiff", dependencies: ["ScreenModel"], exclude: ["README.md"]),
        .target(name: "ScreenWire", dependencies: ["ScreenModel", "ScreenDiff"]),
        .target(name: "ScreenClient", dependencies: ["ScreenModel", "ScreenDiff", "ScreenWire"] + Target.Dependency.transport),
        .target(name: "ScreenTesting", dependencies: ["ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient"]),
        .target(
            name: "ScreenService",
            dependencies: ["ScreenModel", "ScreenDiff", "ScreenWire", "CXXHash", .log, .metrics]
        ),
        .target(name: "CXXHash"),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD", .log], exclude: ["README.md"]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "ContentCoding", dependencies: ["CZstd", "CBrotli", "CZlib"]),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "HTTPClient", dependencies: ["CCurl"]),
        .target(
            name: "ScreenHTTP",
            dependencies: ["ScreenModel", "ScreenService", "ScreenWire", "HTTPServer", "ContentCoding", .log, .metrics]
        ),
        .target(
            name: "RelistTokens",
            dependencies: [
                "Relist", "ScreenService", "ScreenHTTP", "ScreenModel", "ScreenWire", "HTTPServer", "HTTPClient", .argumentParser, .jwt,
                .log,
            ]
        ),
        .target(name: "RelistSQLite", dependencies: ["ScreenService", .grdb, .sqlite, .log]),
        .systemLibrary(
            name: "CPostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]
        ),
        .target(name: "RelistPostgres", dependencies: ["CPostgres", "ScreenService", .log]),
        // The data lies beside each program that is built with it.
        .target(name: "ExampleRecords", dependencies: ["ScreenService"], resources: [.copy("Data")]),
        .target(
            name: "ExampleScreens",
            dependencies: ["ScreenModel", "ScreenService", "ScreenWire", "ExampleRecords", "HTTPClient", .log]
        ),
        .systemLibrary(name: "CAllocator"),
        .target(
            name: "Relist",
            dependencies: [
                "CAllocator", "RelistPage", "ScreenModel", "ScreenService", "ScreenWire", "ScreenHTTP", "HTTPServer", "RelistSQLite",
                .argumentParser, .log, .metrics,
            ]
        ),
        .target(name: "RelistTesting", dependencies: ["Relist", "ScreenDiff", "ScreenService", "ScreenWire", "RelistSQLite", .log]),
        // So that the page lies beside each program that is built with it.
        .target(
            name: "RelistPage", path: "Public", exclude: ["package.json"], sources: ["Page.swift"],
            resources: [
                "page", "relist", "styles", "icon.svg", "index.html", "page.js",
            ].map { .copy($0) }
        ),
        .executableTarget(
            name: "RelistCommand",
            dependencies: [
                "Relist", "HTTPClient", "ScreenDiff", "ScreenWire", "ScreenClient", "ScreenService", "RelistSQLite", "ExampleRecords",
                "RelistPostgres", "ExampleScreens", "ContentCoding", .target(name: "RelistTokens", condition: .when(traits: ["Tokens"])),
                .argumentParser,
                .log,
            ],
            // In the program itself, so that nothing has to lie beside it.
            resources: [.embedInCode("Scaffolding/Template")]
        ),

        .testTarget(name: "ScreenModelTests", dependencies: ["ScreenModel"]),
        .testTarget(name: "ScreenDiffTests", dependencies: ["ScreenDiff", "ScreenModel", "SeededRandom", "TestModels"]),
        .testTarget(name: "ScreenWireTests", dependencies: ["ScreenWire", "ScreenDiff", "ScreenModel", "SeededRandom", "DocumentTexts"]),
        .testTarget(
            name: "ScreenClientTests",
            dependencies: [
                "ScreenClient", "ScreenWire", "ScreenDiff", "ScreenModel", "ScreenService", "ScreenHTTP", "HTTPServer", "MemoryTransport",
                "FaultyTransport", "RawServer", "SeededRandom", "DocumentTexts", .log,
            ]
        ),
        .testTarget(
            name: "ScreenTestingTests",
            dependencies: [
                "ScreenTesting", "ScreenClient", "ScreenWire", "ScreenDiff", "ScreenModel", "SeededRandom", "TestModels", "DocumentTexts",
            ]
        ),
        .testTarget(
            name: "ScreenServiceTests",
            dependencies: [
                "ScreenService", "ScreenTesting", "ScreenWire", "ScreenDiff", "ScreenModel", "LogLines", "SeededRandom", .log, .metrics,
            ]
        ),
        .testTarget(name: "ContentCodingTests", dependencies: ["ContentCoding", "ContentDecoding"]),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "RawClient"]),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "RawServer"]),
        .testTarget(
            name: "ScreenHTTPTests",
            dependencies: [
                "ScreenHTTP", "ScreenService", "ScreenModel", "ScreenWire", "ContentCoding", "ContentDecoding", "HTTPServer", "RawClient",
                .metrics,
            ]
        ),
        .testTarget(
            name: "RelistSQLiteTests",
            dependencies: ["RelistSQLite", "ScreenService", "LogLines", "SeededRandom", "TemporaryDatabase", .grdb, .log]
        ),
        .testTarget(
            name: "RelistPostgresTests",
            dependencies: [
                "RelistPostgres", "ScreenService", "ScreenModel", "ScreenWire", "LogLines", "TemporaryDatabase", "TemporaryPostgres", .log,
            ]
        ),
        .testTarget(
            name: "RelistTokensTests",
            dependencies: [
                "RelistTokens", "ScreenHTTP", "ScreenService", "ScreenWire", "HTTPServer", "HTTPClient", "RawServer", "TemporaryDatabase",
                .log,
            ]
        ),
        .testTarget(
            name: "ExampleRecordsTests",
            dependencies: [
                "ExampleRecords", "RelistSQLite", "RelistPostgres", "ScreenService", "TemporaryDatabase", "TemporaryPostgres", .grdb, .log,
            ]
        ),
        .testTarget(
            name: "ExampleScreensTests",
            dependencies: [
                "ExampleScreens", "ScreenModel", "ScreenService", "ScreenTesting", "ScreenWire", "ExampleRecords", "RelistPostgres",
                "RelistSQLite", "HTTPClient", "LogLines", "RawServer", "TemporaryDatabase",
                "TemporaryPostgres", .log,
            ]
        ),
        .testTarget(
            name: "RelistTests",
            dependencies: [
                "Relist", "HTTPServer", "ScreenHTTP", "ScreenModel", "ScreenService", "RelistSQLite", "RawClient", "TemporaryDatabase",
                .argumentParser, .grdb, .log, .metrics,
            ]
        ),
        .testTarget(name: "RelistTestingTests", dependencies: ["RelistTesting", .grdb, .log]),
        .target(name: "LogLines", dependencies: [.log], path: "Tests/Support/LogLines"),
        .systemLibrary(name: "CBrotliDecoder", path: "Tests/Support/CBrotliDecoder"),
        .target(
            name: "ContentDecoding", dependencies: ["ContentCoding", "CZstd", "CZlib", "CBrotliDecoder"],
            path: "Tests/Support/ContentDecoding"),
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom"),
        .target(name: "TestModels", dependencies: ["ScreenDiff", "ScreenModel", "SeededRandom"], path: "Tests/Support/TestModels"),
        .target(name: "DocumentTexts", dependencies: ["ScreenWire", "SeededRandom"], path: "Tests/Support/DocumentTexts"),
        .target(name: "TemporaryDatabase", dependencies: ["ScreenService"], path: "Tests/Support/TemporaryDatabase"),
        .target(name: "TemporaryPostgres", path: "Tests/Support/TemporaryPostgres", exclude: ["server", "tls-proxy"]),
        .target(name: "RawClient", dependencies: ["ContentCoding", "ContentDecoding", "HTTPServer"], path: "Tests/Support/RawClient"),
        .target(name: "RawServer", path: "Tests/Support/RawServer"),
        .target(
            name: "MemoryTransport", dependencies: ["ScreenClient", "ScreenHTTP", "HTTPServer"], path: "Tests/Support/MemoryTransport"),
        .target(name: "FaultyTransport", dependencies: ["ScreenClient"], path: "Tests/Support/FaultyTransport"),
        .testTarget(
            name: "RelistCommandTests",
            dependencies: [
                "RelistCommand", "RelistPage", "ScreenClient", "ScreenModel", "ScreenService", "ScreenTesting", "ScreenWire", "ScreenHTTP",
                "HTTPServer", "RelistSQLite", "ExampleRecords", "LogLines", "SeededRandom", "DocumentTexts", "RawClient", "RawServer",
                "TemporaryDatabase", "TemporaryPostgres", .log,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Images are built without the tests.
if !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}

// The server needs Linux. On a Mac, `RELIST_TARGETS=apps swift test` builds and tests only what apps use.
if Context.environment["RELIST_TARGETS"] == "apps" {
    let apps = ["ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient", "ScreenTesting"]
    let support = ["SeededRandom", "TestModels", "DocumentTexts", "FaultyTransport"]
    package.dependencies = []
    package.products.removeAll { !apps.contains($0.name) }
    package.targets.removeAll { !(apps + apps.map { "\($0)Tests" } + support).contains($0.name) }
    for target in package.targets where target.name == "ScreenClientTests" {
        target.exclude = ["Service"]
        target.dependencies = [
            "ScreenClient", "ScreenWire", "ScreenDiff", "ScreenModel", "FaultyTransport", "SeededRandom", "DocumentTexts",
        ]
    }
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// The proofs compute for long: `make` has what they run optimised, and nothing else, as the compiler would
// take twice as long. Packages that depend on this one may not have such flags, and do not get them.
if Context.environment["RELIST_OPTIMISED"] == "differ" {
    let proven = [
        "ScreenModel", "ScreenDiff", "ScreenDiffTests", "TestModels", "ScreenClient", "ScreenClientTests", "ScreenTesting",
        "ScreenTestingTests",
    ]
    for target in package.targets where proven.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}

extension Target.Dependency {
    static let argumentParser = server("ArgumentParser", of: "swift-argument-parser")
    static let jwt = server("JWTKit", of: "jwt-kit")
    static let log = server("Logging", of: "swift-log")
    // The part of the package that does not import Foundation.
    static let metrics = server("CoreMetrics", of: "swift-metrics")
    static let grdb = server("GRDB", of: "GRDB.swift")
    static let sqlite = server("GRDBSQLite", of: "GRDB.swift")

    /// The target that sends the client's requests where `URLSession` cannot stream. A condition would hide the C module from the compiler.
    static var transport: [Target.Dependency] {
        #if os(Linux)
        ["HTTPClient"]
        #else
        []
        #endif
    }

    /// A product of another package. A package is resolved where one product of it has no condition.
    private static func server(_ name: String, of package: String) -> Target.Dependency {
        .product(name: name, package: package, condition: .when(traits: ["Server"]))
    }
}
