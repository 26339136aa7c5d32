import Dispatch
import Foundation
import Glibc

/// Runs a program, and ends it at the latest when it is let go.
///
/// `@unchecked Sendable`: everything but signals happens on `queue`. Reading and waiting block, so
/// they happen there and not in the pool in which the tests run.
final class Program: @unchecked Sendable {
    /// How a program ended, and what it said until then.
    struct End {
        /// The exit code, or the signal that killed it with a minus.
        let status: Int32
        let output: String
        let errors: String
    }

    private let queue = DispatchQueue(label: "program")
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var said = Data()

    /// - Parameters:
    ///   - folder: where it runs.
    ///   - environment: on top of that of the tests, without their settings of the server.
    init(_ executable: URL, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RELIST_") }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var id: Int32 { process.processIdentifier }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Reads what the program says until `find` finds what it looks for, or until it says no more.
    func read<Found: Sendable>(until find: @escaping @Sendable (String) -> Found?) async -> Found? {
        await onQueue { [self] in
            while true {
                if let found = find(String(decoding: said, as: UTF8.self)) { return found }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                said += more
            }
        }
    }

    /// Waits until the program has ended.
    func end() async -> End {
        await onQueue { [self] in
            said += output.fileHandleForReading.readDataToEndOfFile()
            let errors = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let isExit = process.terminationReason == .exit
            return End(
                status: isExit ? process.terminationStatus : -process.terminationStatus,
                output: String(decoding: said, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self)
            )
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

extension Program {
    /// The program under test, which is built into the folder of its tests.
    static func relist(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> Program {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let executable = tests.deletingLastPathComponent().appendingPathComponent("relist")
        return try Program(executable, arguments, in: folder, environment: environment)
    }

    /// Runs a line as somebody at a shell does.
    static func shell(_ line: String, in folder: TemporaryFolder) throws -> Program {
        try Program(URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: folder)
    }
}
