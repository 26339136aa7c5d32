import ArgumentParser
import Glibc
import ScreenWire

/// An error that a command reports before the command ends. The exit code of the command is the exit code of the error.
protocol ReportedFault: Error {
    var exitCode: ExitCode { get }
    /// The messages, one line for each fault.
    var lines: [String] { get }
}

extension ReportedFault {
    /// Runs the body of a command. If `body` throws a fault, writes the messages of the fault to standard error, and throws the exit
    /// code of the fault.
    static func exit(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let fault as any ReportedFault {
            Output.complain(fault.lines)
            throw fault.exitCode
        }
    }
}

/// An error of a command that reads documents.
indirect enum CommandFault: ReportedFault {
    /// A document cannot be read. The values are the name of the document and `errno`.
    case unreadable(String, CInt)
    case notJSON(String, TextPlace, JSONSyntaxError.Cause)
    case invalid(String, DocumentFaults)
    case both(CommandFault, CommandFault)
    /// Standard output cannot be written. The value is `errno`.
    case unwritable(CInt)

    /// The exit code of `sysexits.h`: EX_NOINPUT, EX_DATAERR or EX_IOERR.
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

    /// Returns one line for each of the first twenty faults of a document, and a line with the number of further faults.
    private static func lines(_ name: String, _ faults: [DocumentFault]) -> [String] {
        let limit = 20
        let lines = faults.prefix(limit).map { "\(name): \($0)" }
        return faults.count > limit ? lines + ["\(name): and \(faults.count - limit) more"] : lines
    }
}

/// Functions that write without a buffer, so that a failed write is detected immediately.
enum Output {
    /// Writes a text and a line feed to standard output.
    static func print(_ text: [UInt8]) throws(CommandFault) {
        let code = write(text + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
        if code != 0 { throw .unwritable(code) }
    }

    /// Writes errors to standard error. A failed write is ignored, because the exit code reports the error too.
    static func complain(_ lines: [String]) {
        _ = write(lines.flatMap { Array("relist: \($0)\n".utf8) }, to: STDERR_FILENO)
    }

    /// Writes all bytes to a file descriptor.
    ///
    /// - Returns: 0 if everything was written, otherwise `errno`.
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
