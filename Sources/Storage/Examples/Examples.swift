/// The records with which a new database begins, so that every example screen has something to
/// show. They are the same on every machine.
public enum Examples {
    /// What one version of the program brought. A store keeps the number of each part that it has
    /// inserted, so a part that has been released keeps its number and its records; what is deleted
    /// stays deleted, and later examples are a later part.
    public enum Part: Int, CaseIterable, Sendable {
        case contractsAndPosts = 1
        case mountains = 2
        case artist = 3
    }

    /// Inserts a part of them.
    ///
    /// - Throws: what the inserts throw, such as ``StoreError/contractExists(number:)`` where they
    ///   have been inserted before.
    public static func insert(_ part: Part, into store: any StoreWriting) throws {
        switch part {
        case .contractsAndPosts:
            for contract in contracts { try store.insertContract(contract) }
            for delivery in deliveries { try store.insertDelivery(delivery) }
            for post in posts { try store.insertPost(post) }
        case .mountains:
            for mountain in mountains { try store.insertMountain(mountain) }
        case .artist:
            try store.insertArtist(artist)
            for album in albums { try store.insertAlbum(album) }
            for track in tracks { try store.insertTrack(track) }
        }
    }
}
