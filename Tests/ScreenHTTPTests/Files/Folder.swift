import Foundation

/// A temporary folder of served files. It is inside another folder, whose other files are not served. Both folders are removed when
/// the object is released.
final class Folder: Sendable {
    private let parent: URL
    let path: String

    init(_ files: [String: String]) throws {
        parent = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
        path = parent.appendingPathComponent("Public").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    /// Creates an object for a folder that does not exist yet.
    init() {
        parent = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
        path = parent.path
    }

    deinit {
        try? FileManager.default.removeItem(at: parent)
    }

    /// - Parameter name: The path relative to the served folder, such as `../secret.txt` for a file outside.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A new file replaces the old one, so that the entity tag changes even if little time has passed.
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    /// The path of the folder with symbolic links resolved.
    var resolvedPath: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}
