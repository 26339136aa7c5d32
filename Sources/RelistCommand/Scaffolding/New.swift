import ArgumentParser
import Foundation

/// The command `relist new`. It creates a package that serves a screen.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a package that serves a screen of its own.",
        discussion: """
            The command creates a folder with that name in the current folder. It has a server with one screen and one table, \
            a test, a Dockerfile and a README. If an error occurs, nothing is created.
            """
    )

    @Argument(help: "The name of the package and of its module: letters, digits and _.")
    var name: String
    @Option(
        name: .customLong("relist"),
        help:
            "The package relist to build with: a folder, or the URL of a Git repository (default: the folder that this program was built in)."
    )
    var source: String?

    func run() throws {
        try ScaffoldingFault.exit {
            let name = try PackageName(name)
            let dependency = try source.map { try Dependency($0, for: name) } ?? .checkout(for: name)
            let package = NewPackage(name: name, dependency: dependency)
            try NewFolder.write(package.files, as: name.text)
            try Output.print(Array(package.nextSteps.utf8))
        }
    }
}
