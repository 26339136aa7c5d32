import GRDB
import Storage

extension SQLiteTransaction: PostsWriting {
    func posts(first count: Int) throws -> [Post] {
        noteRead(.posts)
        // SQLite takes a negative limit for none.
        return try rows("SELECT id, userID, title, body FROM post ORDER BY id LIMIT ?", [max(0, count)], Post.init)
    }

    func postCount() throws -> Int {
        noteRead(.posts)
        return try row("SELECT count(*) FROM post") { $0[0] }!
    }

    func insertPost(_ post: Post) throws {
        try write("INSERT INTO post VALUES (?, ?, ?, ?)", arguments(post), ifTaken: .postExists(id: post.id))
        noteWrite(.posts)
    }

    func replacePost(_ post: Post) throws {
        guard let old = try storedPost(post.id) else { throw StoreError.noPost(id: post.id) }
        guard post != old else { return }
        try write("REPLACE INTO post VALUES (?, ?, ?, ?)", arguments(post))
        noteWrite(.posts)
    }

    func deletePost(_ id: Int) throws -> Bool {
        guard try write("DELETE FROM post WHERE id = ?", [id]) > 0 else { return false }
        noteWrite(.posts)
        return true
    }

    private func storedPost(_ id: Int) throws -> Post? {
        try row("SELECT id, userID, title, body FROM post WHERE id = ?", [id], Post.init)
    }

    private func arguments(_ post: Post) -> StatementArguments {
        [post.id, post.userID, Text(post.title), Text(post.body)]
    }
}

extension Post {
    fileprivate init(_ row: Row) {
        self.init(id: row[0], userID: row[1], title: row[2], body: row[3])
    }
}
