/// The records with which a new database begins, so that every example screen has something to
/// show. They are the same on every machine.
public enum Examples {
    /// Inserts all of them.
    ///
    /// - Throws: what the inserts throw, such as ``StoreError/contractExists(number:)`` where they
    ///   have been inserted before.
    public static func insert(into store: any StoreWriting) throws {
        for contract in contracts { try store.insertContract(contract) }
        for delivery in deliveries { try store.insertDelivery(delivery) }
        for post in posts { try store.insertPost(post) }
    }
}
