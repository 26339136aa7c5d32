import ArgumentParser
import Glibc
import ScreenWire

/// The reason why `relist new` writes nothing.
enum ScaffoldingFault: ReportedFault, Equatable {
    case name(String, NameCause)
    /// A file or folder with this name already exists.
    case taken(String)
    /// A file or folder cannot be written. The values are its name and `errno`.
    case unwritable(String, CInt)
    /// The given dependency is neither a folder with the package `relist` nor a URL.
    case notRelist(String)
    /// No dependency was given, and the checkout that this program was built from no longer exists.
    case unknownSource
    /// The dependency has the same name as the new package.
    case sameName(String)

    enum NameCause {
        case notAnIdentifier
        case tooLong
        case keyword
        case module
    }

    /// The exit code of `sysexits.h`: EX_USAGE, EX_CANTCREAT or EX_NOINPUT.
    var exitCode: ExitCode {
        switch self {
        case .name, .sameName, .unknownSource: ExitCode(64)
        case .taken, .unwritable: ExitCode(73)
        case .notRelist: ExitCode(66)
        }
    }

    var lines: [String] {
        switch self {
        case .name(let name, .notAnIdentifier):
            ["\(name.quoted) is not a valid package name; use a letter, then letters, digits and _, such as Garden"]
        case .name(let name, .tooLong):
            ["\(name.quoted) is too long for a package name; use at most \(PackageName.limit) characters"]
        case .name(let name, .keyword): ["\(name.quoted) is a keyword of Swift; use another name"]
        case .name(let name, .module): ["\(name.quoted) is the name of a module that the package is built with; use another name"]
        case .taken(let name): ["\(name.quoted) already exists; use another name, or remove it"]
        case .unwritable(let name, let code): ["\(name.quoted) cannot be written: \(String(cString: strerror(code)))"]
        case .notRelist(let text):
            ["\(text.quoted) is neither a folder with the package relist nor the URL of a Git repository; give one of them after --relist"]
        case .unknownSource: ["the package relist was not found: give a folder or the URL of a Git repository after --relist"]
        case .sameName(let path):
            ["\(path.quoted) has the name of the new package, and SwiftPM does not allow both; use another name"]
        }
    }
}
