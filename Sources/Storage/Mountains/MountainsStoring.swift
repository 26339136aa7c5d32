/// Reads mountains.
public protocol MountainsReading {
    /// All mountains, ordered by id (as UTF-8).
    func mountains() throws -> [Mountain]
}

/// Writes mountains.
public protocol MountainsWriting: MountainsReading {
    /// - Throws: ``StoreError/mountainExists(id:)``
    func insertMountain(_ mountain: Mountain) throws

    /// Puts `mountain` in the place of the one with its id.
    ///
    /// - Throws: ``StoreError/noMountain(id:)``
    func replaceMountain(_ mountain: Mountain) throws

    /// Deletes a mountain; false where there is none with this id.
    @discardableResult
    func deleteMountain(_ id: String) throws -> Bool
}
