package import ArgumentParser
import Foundation

/// What is wrong with the arguments of a command, in one line.
struct UsageFault: CustomStringConvertible {
    let description: String

    /// The name that the process was started by.
    static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "relist"
    }

    /// - Parameter message: the library's, whose first line says what is wrong and whose last one where to read on.
    init(_ message: String) {
        let lines = message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let fault = lines.first.map { $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0 } ?? ""
        let hint = lines.count > 1 ? lines.last : nil
        description = [fault.hasSuffix(".") || fault.hasSuffix("?") ? fault : fault + ".", hint].compactMap(\.self).joined(separator: " ")
    }
}

extension ParsableCommand {
    /// Ends the process over arguments that are wrong, with one line on standard error and 64; or with the help that was asked
    /// for, or as `run()` says.
    package static func end(over error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
        try? FileHandle.standardError.write(contentsOf: Data("\(UsageFault.program): \(UsageFault(fullMessage(for: error)))\n".utf8))
        exit(withError: ExitCode.validationFailure)
    }
}
