/// Why a store could not do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
    /// The store has been closed.
    case closed
    case contractExists(number: String)
    case noContract(number: String)
    case deliveryExists(id: String)
    case noDelivery(id: String)
    case postExists(id: Int)
    case noPost(id: Int)
    case mountainExists(id: String)
    case noMountain(id: String)
    case artistExists(id: String)
    case noArtist(id: String)
    case albumExists(id: String)
    case noAlbum(id: String)
    case trackExists(album: String, number: Int)
    /// A text to be stored contains U+0000, which backends cannot keep in text.
    case zeroCharacter
    /// What was stored is no value of its type, such as a status that this program does not know.
    case unreadable(record: RecordKind, id: String)
}

/// The kinds of records that have values a store must understand to read them.
public enum RecordKind: String, Hashable, Sendable {
    case contract, delivery
}
