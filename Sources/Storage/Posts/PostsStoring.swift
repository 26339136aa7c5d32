/// Reads posts.
public protocol PostsReading {
    /// The first `count` posts, or all where there are fewer, ordered by id; none where `count`
    /// is not positive.
    func posts(first count: Int) throws -> [Post]

    /// How many posts there are.
    func postCount() throws -> Int
}

/// Writes posts.
public protocol PostsWriting: PostsReading {
    /// - Throws: ``StoreError/postExists(id:)``
    func insertPost(_ post: Post) throws

    /// Puts `post` in the place of the one with its id.
    ///
    /// - Throws: ``StoreError/noPost(id:)``
    func replacePost(_ post: Post) throws

    /// Deletes a post; false where there is none with this id.
    @discardableResult
    func deletePost(_ id: Int) throws -> Bool
}
