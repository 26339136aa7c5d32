import ArgumentParser
import Foundation

/// `relist new`: a package that serves a screen of its own.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a package that serves a screen of its own.",
        discussion: """
            The package is a folder with that name, where the command runs: a server with one screen and one table, a test, \
            a Dockerfile and a README. Nothing is written where something is wrong.
            """
    )

    @Argument(help: "The name of the package and of its module: letters, digits and _.")
    var name: String
    @Option(
        name: .customLong("relist"),
        help: "The package relist to build with: a folder, or the URL of a Git repository (default: the folder that this program was built in)."
    )
    var source: String?

    func run() throws {
        try FoundingFault.exit {
            let name = try PackageName(name)
            let dependency = try source.map { try Dependency($0, for: name) } ?? .checkout(for: name)
            let package = NewPackage(name: name, dependency: dependency)
            try NewFolder.write(package.files, as: name.text)
            try Output.print(Array(package.farewell.utf8))
        }
    }
}
