import Foundation

/// A file of source code, as the compiler named it.
enum SourceFile {
    /// More than this is no screen.
    private static let largest = 256 << 10

    /// Its bytes; nil where it is not there, or is too large.
    static func read(_ path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= largest else { return nil }
        return Array(data)
    }
}
