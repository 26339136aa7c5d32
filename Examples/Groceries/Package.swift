// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "groceries",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "relist", path: "../..")
    ],
    targets: [
        .executableTarget(name: "Groceries", dependencies: [.product(name: "Relist", package: "relist")]),
        .testTarget(
            name: "GroceriesTests",
            dependencies: [
                "Groceries", .product(name: "RelistTesting", package: "relist"), .product(name: "RelistPostgres", package: "relist"),
            ]
        ),
    ]
)
