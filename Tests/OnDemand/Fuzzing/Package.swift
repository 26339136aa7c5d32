// swift-tools-version: 6.2
import PackageDescription

// The fuzzer is a separate package, because it is built with the instrumentation of libFuzzer. The script `run` in this folder builds it.
let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "relist", path: "../../..")],
    targets: [
        .executableTarget(
            name: "fuzzing",
            dependencies: [
                "TestModels",
                .product(name: "Relist", package: "relist"),
                .product(name: "ScreenClient", package: "relist"),
                .product(name: "ScreenDiff", package: "relist"),
                .product(name: "ScreenModel", package: "relist"),
                .product(name: "ScreenService", package: "relist"),
                .product(name: "ScreenWire", package: "relist"),
            ]
        ),
        // The script `run` creates the only file of this target. It is a link to a file of the tests.
        .target(
            name: "TestModels",
            dependencies: [.product(name: "ScreenDiff", package: "relist"), .product(name: "ScreenModel", package: "relist")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
