import ArgumentParser
import Glibc
import ScreenWire

/// Why `relist new` writes nothing.
enum FoundingFault: TellingFault, Equatable {
    case name(String, NameCause)
    /// A folder or whatever else has the name.
    case taken(String)
    /// What cannot be written, and `errno`.
    case unwritable(String, CInt)
    /// Neither a folder with the package relist nor a URL.
    case notRelist(String)
    /// No package relist was named, and the folder that this program was built in is gone.
    case unknownSource
    /// The folder with the package relist has the name of the new one.
    case sameName(String)

    enum NameCause {
        case notAnIdentifier
        case tooLong
        case keyword
        case module
    }

    /// As `sysexits.h` has them: EX_USAGE, EX_CANTCREAT, EX_NOINPUT.
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
            ["\(name.quoted) cannot be the name of a package; take a letter, then letters, digits and _, such as Garden"]
        case .name(let name, .tooLong):
            ["\(name.quoted) is too long for the name of a package; take \(PackageName.limit) characters or fewer"]
        case .name(let name, .keyword): ["\(name.quoted) is a word of Swift's; take another name"]
        case .name(let name, .module): ["\(name.quoted) is the name of a module that the package is built with; take another name"]
        case .taken(let name): ["\(name.quoted) is there already; take another name, or remove it"]
        case .unwritable(let name, let code): ["\(name.quoted) cannot be written: \(String(cString: strerror(code)))"]
        case .notRelist(let text):
            ["\(text.quoted) is no folder with the package relist, and no URL of a Git repository; give one of them after --relist"]
        case .unknownSource: ["say where the package relist is: give a folder or the URL of a Git repository after --relist"]
        case .sameName(let path):
            ["\(path.quoted) has the name of the new package, which SwiftPM would take for the same; take another name"]
        }
    }
}
