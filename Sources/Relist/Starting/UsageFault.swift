package import ArgumentParser
import Foundation

/// What is wrong with the arguments of a command, in one line.
struct UsageFault: CustomStringConvertible {
    let description: String

    /// The name that the process was started by.
    static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "relist"
    }

    /// - Parameters:
    ///   - fault: what is wrong, with arguments as they came.
    ///   - help: all that the library says of it, whose last line says where to read on.
    init(_ fault: String, _ help: String) {
        let fault = fault.unicodeScalars.map { scalar in
            // So that no argument ends the line, or tells a terminal what to do.
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
        let hint = help.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        description = fault + (fault.hasSuffix(".") || fault.hasSuffix("?") ? " " : ". ") + hint
    }
}

extension ParsableCommand {
    /// Ends the process over arguments that are wrong, with one line on standard error and 64; or with the help that was asked
    /// for, or as `run()` says.
    package static func end(over error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
        try? FileHandle.standardError.write(contentsOf: Data("\(UsageFault.program): \(UsageFault(message(for: error), fullMessage(for: error)))\n".utf8))
        exit(withError: ExitCode.validationFailure)
    }
}
