package import ArgumentParser
import Foundation

/// A one-line message about invalid arguments of a command.
struct UsageFault: CustomStringConvertible {
    let description: String

    /// The name with which the program was started.
    static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "relist"
    }

    /// Writes a message of the program to standard error. A failed write is ignored, because the exit code reports the error too.
    static func report(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(program): \(message)\n".utf8))
    }

    /// Creates the message from the texts of ArgumentParser.
    ///
    /// - Parameters:
    ///   - fault: the description of the fault. It may contain arguments of the command.
    ///   - help: the full message, whose last line names the help flag.
    init(_ fault: String, _ help: String) {
        let fault = fault.unicodeScalars.map { scalar in
            // An argument must not break the line or control the terminal.
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
        let hint = help.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        description = fault + (fault.hasSuffix(".") || fault.hasSuffix("?") ? " " : ". ") + hint
    }
}

extension ParsableCommand {
    /// The name with which the program was started.
    package static var programName: String { UsageFault.program }

    /// Writes an error to standard error, and returns the exit code of a command that has failed.
    package static func failure(_ error: any Error) -> ExitCode {
        UsageFault.report("\(error)")
        return .failure
    }

    /// Ends the process because of an error. For invalid arguments, writes one line to standard error and exits with code 64.
    /// Otherwise ends the process as ArgumentParser does.
    package static func end(over error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
        UsageFault.report("\(UsageFault(message(for: error), fullMessage(for: error)))")
        exit(withError: ExitCode.validationFailure)
    }
}
