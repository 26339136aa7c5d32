import Dispatch
import Foundation
import Glibc

/// A program that runs in another process. The process is killed at the latest when this object is freed.
///
/// Foundation's `Process` is not used, because it waits with `select`, which fails for descriptors above 1023. The tests open
/// more descriptors.
///
/// `@unchecked Sendable`: all mutable state is only accessed on `queue`. Reading and waiting block a thread, so they run on
/// `queue` and not in the thread pool of the tests.
final class Program: @unchecked Sendable {
    /// The result of a program that has ended, with its complete output.
    struct End {
        /// The exit code of the program, or the negated number of the signal that killed it.
        let status: Int32
        let output: String
        let errors: String
    }

    let id: pid_t
    private let queue = DispatchQueue(label: "program")
    private var output: ProgramText
    private var errors: ProgramText
    private var status: Int32?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: additional environment variables. The program also receives the environment of the tests, except for variables that
    ///     begin with `RELIST_`.
    ///   - input: the file for standard input.
    ///   - folder: the working directory; nil for the working directory of the tests.
    ///   - openFiles: the limit of open files; nil for the limit of the tests.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
        in folder: String? = nil, openFiles: Int? = nil
    ) throws {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RELIST_") }
            .merging(environment) { $1 }
        let spawned = try Spawning.spawn(
            Self.changing(to: folder) + Self.limiting(openFiles: openFiles) + [executable] + arguments, environment.map { "\($0)=\($1)" },
            input: input
        )
        id = spawned.id
        output = ProgramText(descriptor: spawned.output)
        errors = ProgramText(descriptor: spawned.errors)
    }

    /// Returns the arguments of a shell that changes the working directory and is then replaced by the program. A shell is used
    /// because Swift cannot import the spawn action that changes the working directory.
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
            // After `waitpid` the id may belong to a different process, which must not be killed.
            if status == nil { kill(id, signal) }
        }
    }

    /// Reads standard output until `find` returns a value. Returns nil if the output ends before `find` returns one.
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

    /// Reads from both pipes. If one pipe were not read, it could become full and block the program.
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

/// The output of a program, read from one of its pipes.
private struct ProgramText {
    /// The descriptor of the pipe. It is negative once the output has ended, because `poll` ignores negative descriptors.
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
    /// The program `relist` that is tested. It is built into the same folder as the tests.
    static var relist: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("relist").path
    }

    /// Runs the program `relist` in a shell with redirections, such as `> /dev/full`.
    static func relist(_ arguments: [String], redirections: String) throws -> Program {
        try Program("/bin/sh", ["-c", "exec \"$0\" \"$@\" \(redirections)", relist] + arguments)
    }

    /// Runs the program `relist`.
    static func relist(
        _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null", in folder: String? = nil,
        openFiles: Int? = nil
    ) throws -> Program {
        try Program(
            relist, arguments, environment: environment, input: input, in: folder, openFiles: openFiles
        )
    }

    /// Runs a command line in a shell.
    static func shell(_ line: String) throws -> Program {
        try Program("/bin/sh", ["-c", line])
    }
}
