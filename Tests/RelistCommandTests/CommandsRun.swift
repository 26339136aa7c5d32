import Foundation

/// Is what the built `relist` did with its arguments.
struct CommandRun {
    let exitCode: Int32
    let output: String
    let errors: String

    /// Runs `relist` in a folder of its own, with the files that are given.
    ///
    /// - Parameter input: what standard input has.
    init(_ arguments: [String], files: [String: String] = [:], input: String = "") async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let inputFile = ".input"
        for (name, text) in files.merging([inputFile: input], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        let end = try await Program.relist(arguments, input: "\(folder.path)/\(inputFile)", in: folder.path).end()
        (exitCode, output, errors) = (end.status, end.output, end.errors)
    }
}
