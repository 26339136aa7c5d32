// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it is built with libFuzzer's instrumentation, see `run` beside it.
let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "relist", path: "../../..")],
    targets: [
        .executableTarget(
            name: "fuzz-differ",
            dependencies: [
                .product(name: "ScreenDiff", package: "relist"),
                .product(name: "ScreenModel", package: "relist"),
                .product(name: "ScreenService", package: "relist"),
                .product(name: "ScreenWire", package: "relist"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
