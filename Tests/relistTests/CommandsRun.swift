import Foundation

/// Is what the built `relist` did with its arguments.
struct CommandRun {
    let exitCode: Int32
    let output: String
    let errors: String

    /// Runs `relist` in a folder of its own, with the files that are given.
    ///
    /// - Parameter input: what standard input has.
    init(_ arguments: [String], files: [String: String] = [:], input: String = "") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        let streams = ["input", "output", "errors"].map { folder.appendingPathComponent(".\($0)") }
        try Data(input.utf8).write(to: streams[0])
        for stream in streams[1...] { try Data().write(to: stream) }

        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // Files, since a pipe that nobody reads while the process runs can fill up and stop it.
        process.standardInput = try FileHandle(forReadingFrom: streams[0])
        process.standardOutput = try FileHandle(forWritingTo: streams[1])
        process.standardError = try FileHandle(forWritingTo: streams[2])
        try process.run()
        process.waitUntilExit()
        exitCode = process.terminationStatus
        output = String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
    }

    /// SwiftPM builds it beside the bundle of the tests.
    private static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("relist")
    }
}
