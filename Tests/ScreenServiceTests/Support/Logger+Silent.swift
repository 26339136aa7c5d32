import Logging

extension Logger {
    static let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}
