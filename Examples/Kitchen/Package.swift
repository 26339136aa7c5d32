// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "kitchen",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "relist", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Kitchen",
            dependencies: [.product(name: "Relist", package: "relist"), .product(name: "RelistTokens", package: "relist")]
        ),
        .testTarget(name: "KitchenTests", dependencies: ["Kitchen", .product(name: "RelistTesting", package: "relist")]),
    ]
)
