import Foundation
import Glibc

/// Starts a process that inherits nothing but what is given to it.
enum Spawning {
    struct Failure: Error {
        let code: Int32
    }

    /// - Parameters:
    ///   - arguments: the path of the program first.
    ///   - environment: `NAME=value`.
    ///   - input: a file that it reads as standard input.
    /// - Returns: the process, and the ends from which to read what it says.
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
        // Where a process kept an end of another one's, nobody would hear that the other has said all.
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

    /// How many more other threads may open before the process begins. Each gets the lowest number that is free.
    private static let margin: Int32 = 64

    /// The function that closes them all is not there for Swift. Closing one that is not open does no harm.
    private static func lastDescriptor() throws -> Int32 {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.max() ?? 2
    }

    /// Threads of the tests block signals or ignore them, and processes inherit that.
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

    /// C strings with a null behind the last.
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
