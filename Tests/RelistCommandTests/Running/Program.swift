import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that runs in another process. The process is killed at the latest when this object is freed.
///
/// Foundation's `Process` is not used, because it waits with `select`, which fails for descriptors above 1023. The tests open
/// more descriptors.
///
/// `@unchecked Sendable`: `output` and `errors` are only accessed on `queue`. Reading and waiting block a thread, so they run on
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
    private let status = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: additional environment variables. The program also receives the environment of the tests, except for variables that
    ///     begin with `RELIST_`.
    ///   - input: the file for standard input.
    ///   - folder: the working directory; nil for the working directory of the tests.
    ///   - openFiles: the limit of open files; nil for the limit of the tests.
    ///   - terminal: the terminal to which the program writes its output; nil for a pipe.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
        in folder: String? = nil, openFiles: Int? = nil, terminal: PseudoTerminal? = nil
    ) throws {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("RELIST_") }
            .merging(environment) { $1 }
        let spawned = try Spawning.spawn(
            Self.changing(to: folder) + Self.limiting(openFiles: openFiles) + [executable] + arguments, environment.map { "\($0)=\($1)" },
            input: input
        )
        id = spawned.id
        if terminal != nil { close(spawned.output) }
        output = ProgramText(descriptor: terminal?.output() ?? spawned.output)
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
        if status.withLock({ $0 }) == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        output.close()
        errors.close()
    }

    func send(_ signal: Int32) async {
        deliver(signal)
    }

    private func deliver(_ signal: Int32) {
        // After `waitpid` the id may belong to a different process, which must not be killed.
        status.withLock { if $0 == nil { _ = kill(id, signal) } }
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

    /// Reads standard output until it contains a text, and removes everything up to the end of the text.
    func shows(_ text: String) async throws {
        let missing: MissingText? = await onQueue { [self] in
            while !output.remove(through: text) {
                guard !output.hasEnded else { return MissingText(text: text, output: output.text) }
                receive()
            }
            return nil
        }
        if let missing { throw missing }
    }

    /// The error if the output ended before it contained a text.
    struct MissingText: Error {
        let text: String
        let output: String
    }

    /// Waits until the program has ended, and reads its output meanwhile.
    func end() async -> End {
        await onQueue { [self] in
            while !(output.hasEnded && errors.hasEnded) { receive() }
            waitForExit()
            let status = status.withLock { status in
                var code: Int32 = 0
                if status == nil, waitpid(id, &code, 0) == id { status = code & 0x7F == 0 ? code >> 8 & 0xFF : -(code & 0x7F) }
                return status
            }
            return End(status: status!, output: output.text, errors: errors.text)
        }
    }

    /// Waits until the program has ended, but does not read its output.
    func endWithoutReading() async {
        await onQueue { [self] in waitForExit() }
    }

    /// Waits for the end of the process, whose id remains valid until `waitpid`.
    private func waitForExit() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Reads from both pipes. If one pipe were not read, it could become full and block the program.
    private func receive() {
        var ends = [output.descriptor, errors.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&ends, 2, -1)
        if ends[0].revents != 0 { output.receive() }
        if ends[1].revents != 0 { errors.receive() }
    }

    /// Runs a function that waits for the program. If the task is cancelled, for example because the time limit of the test is exceeded, the
    /// program is killed, so that the function returns.
    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: body()) }
            }
        } onCancel: {
            deliver(SIGKILL)
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

    /// Removes everything up to the end of a text. Returns false if the output does not contain the text.
    mutating func remove(through text: String) -> Bool {
        guard let range = bytes.firstRange(of: Array(text.utf8)) else { return false }
        bytes.removeFirst(range.upperBound)
        return true
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
    static func relist(_ arguments: [String], redirections: String, terminal: PseudoTerminal? = nil) throws -> Program {
        try Program("/bin/sh", ["-c", "exec \"$0\" \"$@\" \(redirections)", relist] + arguments, terminal: terminal)
    }

    /// Runs the program `relist` in a terminal.
    static func relist(_ arguments: [String], in terminal: PseudoTerminal) throws -> Program {
        try relist(arguments, redirections: "< \(terminal.path) > \(terminal.path)", terminal: terminal)
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
