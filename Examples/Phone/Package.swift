// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "phone",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "Phone", targets: ["Phone"])],
    dependencies: [
        // The app does not need the packages that only the server uses.
        .package(name: "relist", path: "../..", traits: [])
    ],
    targets: [
        .target(name: "Phone", dependencies: [.product(name: "ScreenClient", package: "relist")]),
        .testTarget(name: "PhoneTests", dependencies: ["Phone", .product(name: "ScreenClient", package: "relist")]),
    ]
)
