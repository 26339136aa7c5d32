import Dispatch
import Foundation
import Glibc

/// Runs a program, and ends it at the latest when it is let go.
///
/// Not Foundation's `Process`: that waits with `select`, which knows no descriptor above 1023, and
/// the tests beside these open more.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` alone. Reading and waiting block,
/// so they happen there and not in the pool in which the tests run.
final class Program: @unchecked Sendable {
    /// How a program ended, and what it said until then.
    struct End {
        /// The exit code, or the signal that killed it with a minus.
        let status: Int32
        let output: String
        let errors: String
    }

    let id: pid_t
    private let queue = DispatchQueue(label: "program")
    private var output: ProgramText
    private var errors: ProgramText
    private var status: Int32?

    /// - Parameters:
    ///   - environment: on top of that of the tests, without their settings of the server.
    ///   - input: a file that it reads as standard input.
    ///   - folder: where it runs; where the tests do if nil.
    ///   - openFiles: how many files it may have open; as many as the tests if nil.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
        in folder: String? = nil, openFiles: Int? = nil
    ) throws {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RELIST_") }
            .merging(environment) { $1 }
        let spawned = try Spawning.spawn(
            Self.changing(to: folder) + Self.limiting(openFiles: openFiles) + [executable] + arguments, environment.map { "\($0)=\($1)" }, input: input
        )
        id = spawned.id
        output = ProgramText(descriptor: spawned.output)
        errors = ProgramText(descriptor: spawned.errors)
    }

    /// The function that changes the folder of what is spawned is not there for Swift, so a shell does it
    /// and becomes the program.
    private static func changing(to folder: String?) -> [String] {
        folder.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] } ?? []
    }

    private static func limiting(openFiles: Int?) -> [String] {
        openFiles.map { ["/bin/sh", "-c", #"ulimit -n "$0" && exec "$@""#, String($0)] } ?? []
    }

    deinit {
        if status == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        output.close()
        errors.close()
    }

    func send(_ signal: Int32) async {
        await onQueue { [self] in
            // Once it was waited for, its id may be that of another.
            if status == nil { kill(id, signal) }
        }
    }

    /// Reads what the program says until `find` finds what it looks for, or until it says no more.
    func read<Found: Sendable>(until find: @escaping @Sendable (String) -> Found?) async -> Found? {
        await onQueue { [self] in
            while true {
                if let found = find(output.text) { return found }
                guard !output.hasEnded else { return nil }
                receive()
            }
        }
    }

    /// Waits until the program has ended.
    func end() async -> End {
        await onQueue { [self] in
            while !(output.hasEnded && errors.hasEnded) { receive() }
            if status == nil {
                var code: Int32 = 0
                waitpid(id, &code, 0)
                status = code & 0x7F == 0 ? code >> 8 & 0xFF : -(code & 0x7F)
            }
            return End(status: status!, output: output.text, errors: errors.text)
        }
    }

    /// Takes what comes next, from whichever of the two: were one left, it might fill up and stop the program.
    private func receive() {
        var ends = [output.descriptor, errors.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&ends, 2, -1)
        if ends[0].revents != 0 { output.receive() }
        if ends[1].revents != 0 { errors.receive() }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

/// What a program has said on one of its two ways.
private struct ProgramText {
    /// Negative, which `poll` ignores, once the program says no more there.
    private(set) var descriptor: Int32
    private var bytes: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var hasEnded: Bool { descriptor < 0 }

    mutating func receive() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] } else { close() }
    }

    mutating func close() {
        if !hasEnded { Glibc.close(descriptor) }
        descriptor = -1
    }
}

extension Program {
    /// The program under test, which is built into the folder of its tests.
    static func relist(
        _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null", in folder: String? = nil,
        openFiles: Int? = nil
    ) throws -> Program {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let executable = tests.deletingLastPathComponent().appendingPathComponent("relist").path
        return try Program(
            executable, arguments, environment: environment, input: input, in: folder, openFiles: openFiles
        )
    }

    /// Runs a line as somebody at a shell does.
    static func shell(_ line: String) throws -> Program {
        try Program("/bin/sh", ["-c", line])
    }
}
