import ArgumentParser
import Glibc
import ScreenWire

/// A fault that a command tells of before it ends with an exit code of its own.
protocol TellingFault: Error {
    var exitCode: ExitCode { get }
    /// One line for each thing that is wrong.
    var lines: [String] { get }
}

extension TellingFault {
    /// Does what a command does; a fault goes to standard error and into the exit code.
    static func exit(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let fault as any TellingFault {
            Output.complain(fault.lines)
            throw fault.exitCode
        }
    }
}

/// Why a command that reads documents prints nothing.
indirect enum CommandFault: TellingFault {
    /// A document with that name, and `errno`.
    case unreadable(String, CInt)
    case notJSON(String, TextPlace, JSONSyntaxError.Cause)
    case invalid(String, DocumentFaults)
    case both(CommandFault, CommandFault)
    /// Standard output, and `errno`.
    case unwritable(CInt)

    /// As `sysexits.h` has them: EX_NOINPUT, EX_DATAERR, EX_IOERR.
    var exitCode: ExitCode {
        switch self {
        case .unreadable: ExitCode(66)
        case .notJSON, .invalid, .both: ExitCode(65)
        case .unwritable: ExitCode(74)
        }
    }

    var lines: [String] {
        switch self {
        case .unreadable(let name, let code): ["\(name) cannot be read: \(String(cString: strerror(code)))"]
        case .notJSON(let name, let place, let cause): ["\(name):\(place): \(cause)"]
        case .invalid(let name, let faults): Self.lines(name, faults.faults)
        case .both(let first, let second): first.lines + second.lines
        case .unwritable(let code): ["standard output cannot be written: \(String(cString: strerror(code)))"]
        }
    }

    /// A document that repeats a mistake ten thousand times has said enough after twenty.
    private static func lines(_ name: String, _ faults: [DocumentFault]) -> [String] {
        let limit = 20
        let lines = faults.prefix(limit).map { "\(name): \($0)" }
        return faults.count > limit ? lines + ["\(name): and \(faults.count - limit) more"] : lines
    }
}

/// What a command says, unbuffered: what could not be written is known at once.
enum Output {
    /// Prints a text and a line feed on standard output.
    static func print(_ text: [UInt8]) throws(CommandFault) {
        let code = write(text + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
        if code != 0 { throw .unwritable(code) }
    }

    /// Says on standard error what is wrong. Where nobody listens, the exit code has to do.
    static func complain(_ lines: [String]) {
        _ = write(lines.flatMap { Array("relist: \($0)\n".utf8) }, to: STDERR_FILENO)
    }

    /// - Returns: `errno`, or 0 once all is written.
    static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
