import Glibc

/// A writer of new folders. It creates a folder with all of its files, or it creates nothing.
enum NewFolder {
    /// Writes files to a new folder.
    ///
    /// - Parameters:
    ///   - files: the path in the new folder and the text of each file. The folders in the paths are created.
    ///   - name: the name of the new folder.
    ///   - parent: the existing folder in which the new folder is created.
    static func write(_ files: [(path: String, text: String)], as name: String, in parent: String = ".") throws(ScaffoldingFault) {
        var status = stat()
        let folder = "\(parent)/\(name)"
        guard lstat(folder, &status) != 0 else { throw .taken(name) }
        let draft = "\(parent)/.\(name)-\(UInt64.random(in: 0 ... .max))"
        do throws(ScaffoldingFault) {
            try make(draft, for: name)
            for file in files { try write(file, in: draft, for: name) }
            guard rename(draft, folder) == 0 else {
                throw errno == ENOTDIR || errno == ENOTEMPTY ? .taken(name) : .unwritable(name, errno)
            }
        } catch {
            remove(draft, files.map(\.path))
            throw error
        }
    }

    private static func make(_ folder: String, for name: String) throws(ScaffoldingFault) {
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw .unwritable(name, errno) }
    }

    private static func write(_ file: (path: String, text: String), in draft: String, for name: String) throws(ScaffoldingFault) {
        for folder in folders(of: file.path) { try make("\(draft)/\(folder)", for: name) }
        let descriptor = open("\(draft)/\(file.path)", O_WRONLY | O_CREAT | O_EXCL, 0o666)
        guard descriptor >= 0 else { throw .unwritable(name, errno) }
        let code = Output.write(Array(file.text.utf8), to: descriptor)
        guard close(descriptor) == 0, code == 0 else { throw .unwritable(name, code == 0 ? errno : code) }
    }

    private static func remove(_ draft: String, _ paths: [String]) {
        for path in paths { unlink("\(draft)/\(path)") }
        for folder in Set(paths.flatMap(folders)).sorted(by: >) { rmdir("\(draft)/\(folder)") }
        rmdir(draft)
    }

    /// Returns the folders in the path of a file, the outermost first.
    private static func folders(of path: String) -> [String] {
        let names = path.split(separator: "/").dropLast()
        return names.indices.map { names[...$0].joined(separator: "/") }
    }
}
