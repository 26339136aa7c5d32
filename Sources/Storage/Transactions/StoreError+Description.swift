extension StoreError: CustomStringConvertible {
    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        case .contractExists(let number): "There is a contract \(number) already."
        case .noContract(let number): "There is no contract \(number)."
        case .deliveryExists(let id): "There is a delivery \(id) already."
        case .noDelivery(let id): "There is no delivery \(id)."
        case .postExists(let id): "There is a post \(id) already."
        case .noPost(let id): "There is no post \(id)."
        case .mountainExists(let id): "There is a mountain \(id) already."
        case .noMountain(let id): "There is no mountain \(id)."
        case .artistExists(let id): "There is an artist \(id) already."
        case .noArtist(let id): "There is no artist \(id)."
        case .albumExists(let id): "There is an album \(id) already."
        case .noAlbum(let id): "There is no album \(id)."
        case .trackExists(let album, let number): "There is a track \(number) on the album \(album) already."
        case .zeroCharacter: "A text with the character U+0000 cannot be stored."
        case .unreadable(let record, let id): "The stored \(record.rawValue) \(id) has a value that cannot be read."
        }
    }
}
