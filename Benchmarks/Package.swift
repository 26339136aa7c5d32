// swift-tools-version: 6.2
import PackageDescription

// The benchmarks are a separate package, so that users of Relist do not resolve the dependencies of the benchmarks.
let package = Package(
    name: "relist-benchmarks",
    dependencies: [
        .package(name: "relist", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .target(name: "CMalloc"),
        .executableTarget(
            name: "relist-benchmarks",
            dependencies: [
                "CMalloc",
                .product(name: "ScreenModel", package: "relist"),
                .product(name: "ScreenDiff", package: "relist"),
                .product(name: "ScreenService", package: "relist"),
                .product(name: "ScreenWire", package: "relist"),
                .product(name: "ScreenClient", package: "relist"),
                .product(name: "RelistSQLite", package: "relist"),
                .product(name: "RelistExamples", package: "relist"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
