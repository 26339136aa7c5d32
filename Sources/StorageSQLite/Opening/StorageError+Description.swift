extension StorageError: CustomStringConvertible {
    /// What is wrong and what to do about it, in English, for whoever starts the program.
    public var description: String {
        switch self {
        case .noFolder(let path):
            "There is no folder for the database \(path). Create it, or name another file."
        case .isFolder(let path):
            "The database \(path) is a folder. Name a file in it."
        case .noPermission(let path):
            "The database \(path) cannot be read and written. Give this process the right to write "
                + "to the file and to its folder, or name another file."
        case .inUse(let path, let process):
            "The database \(path) is in use\(Self.user(process)). Stop that first, or name another file."
        case .moved(let path):
            "The database \(path) was moved, replaced or deleted while it was opened. Start again."
        case .notADatabase(let path):
            "The file \(path) is not an SQLite database. Name another file, or move this one away."
        case .otherProgram(let path):
            "The database \(path) was made by another program. Name another file."
        case .newerSchema(let path, let unknownSteps):
            "The database \(path) was changed by a newer version of this program, in steps that this "
                + "version lacks: \(unknownSteps.joined(separator: ", ")). Use that version, or another file."
        case .damaged(let path):
            "The database \(path) is damaged. Restore a copy of it, or move it and the files "
                + "\(path)-wal and \(path)-shm away to begin anew."
        case .diskFull(let path):
            "There is no space for the database \(path). Free some, and start again."
        case .system(let path, let errno):
            "The database \(path) cannot be opened: the operating system says errno \(errno)."
        case .sqlite(let path, let code):
            "The database \(path) cannot be opened: SQLite says \(code), see https://sqlite.org/rescode.html."
        }
    }

    private static func user(_ process: Int32?) -> String {
        process.map { " by process \($0)" } ?? " by another process"
    }
}
