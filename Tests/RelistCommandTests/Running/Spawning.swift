import Foundation
import Glibc

/// A namespace for a function that starts processes. The processes inherit no descriptors of the tests.
enum Spawning {
    struct Failure: Error {
        let code: Int32
    }

    /// Starts a program in a new process.
    ///
    /// - Parameters:
    ///   - arguments: the arguments, beginning with the path of the program.
    ///   - environment: variables as `NAME=value`.
    ///   - input: the file for standard input.
    /// - Returns: the id of the process, and the read ends of its standard output and standard error.
    static func spawn(
        _ arguments: [String], _ environment: [String], input: String
    ) throws -> (id: pid_t, output: Int32, errors: Int32) {
        let (output, errors) = (try Ends(), try Ends())
        defer {
            close(output.write)
            close(errors.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
        // The new process closes all descriptors except standard input, standard output and standard error. Otherwise it could inherit the
        // write end of another process's pipe. Reading from that pipe would then not end when the other process ends.
        for descriptor in 3...(try lastDescriptor() + margin) { posix_spawn_file_actions_addclose(&actions, descriptor) }

        let (argv, envp) = (Words(arguments), Words(environment))
        var id: pid_t = 0
        let code = withSignalsAsUsual { posix_spawn(&id, arguments[0], &actions, &$0, argv.pointers, envp.pointers) }
        guard code == 0 else {
            close(output.read)
            close(errors.read)
            throw Failure(code: code)
        }
        return (id, output.read, errors.read)
    }

    /// The number of additional descriptors that the new process closes, above the highest open descriptor. They are closed because other
    /// threads may open them before the process starts.
    private static let margin: Int32 = 64

    /// Returns the number of the highest open descriptor. The new process closes all descriptors up to this number, because Swift cannot
    /// import the spawn action that closes all open descriptors.
    private static func lastDescriptor() throws -> Int32 {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.max() ?? 2
    }

    /// Runs `body` with attributes for a new process that blocks no signals and ignores no signals. Otherwise the new process would inherit
    /// the blocked and the ignored signals of the tests.
    private static func withSignalsAsUsual(_ body: (inout posix_spawnattr_t) -> Int32) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return body(&attributes)
    }

    private struct Ends {
        let read: Int32
        let write: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure(code: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (read, write) = (ends[0], ends[1])
        }
    }

    /// A list of C strings that ends with a null pointer.
    private final class Words {
        let pointers: [UnsafeMutablePointer<CChar>?]

        init(_ words: [String]) {
            pointers = words.map { strdup($0) } + [nil]
        }

        deinit {
            for pointer in pointers { free(pointer) }
        }
    }
}
