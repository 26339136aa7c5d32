import Foundation

/// A folder of files to serve, inside of one of files not to serve; there while a test uses it.
final class Folder: Sendable {
    private let around: URL
    let path: String

    init(_ files: [String: String]) throws {
        around = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
        path = around.appendingPathComponent("Public").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    /// The name of a folder that there is not.
    init() {
        around = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
        path = around.path
    }

    deinit {
        try? FileManager.default.removeItem(at: around)
    }

    /// - Parameter name: from the folder that is served; `../secret.txt` lies outside.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // In place of the old file, not into it: so it is another file to the system, however short the time between.
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    /// Its path without links.
    var resolvedPath: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}
