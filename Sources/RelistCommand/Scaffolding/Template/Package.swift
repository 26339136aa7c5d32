// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Garden",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "relist", path: "/relist"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Garden",
            dependencies: [.product(name: "Relist", package: "relist"), .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .testTarget(
            name: "GardenTests", dependencies: ["Garden", .product(name: "RelistTesting", package: "relist")]
        ),
    ]
)
