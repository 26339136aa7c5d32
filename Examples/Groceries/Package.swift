// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "groceries",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "relist", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "Groceries",
            dependencies: [.product(name: "Relist", package: "relist"), .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .testTarget(
            name: "GroceriesTests", dependencies: ["Groceries", .product(name: "RelistTesting", package: "relist")]
        ),
    ]
)
