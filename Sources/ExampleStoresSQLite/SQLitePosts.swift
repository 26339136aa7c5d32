public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// Posts in SQLite.
public struct SQLitePosts: SQLiteTables, PostsTransaction {
    public static let migration = SQLiteMigration(
        SQLiteMigration.first,
        """
        CREATE TABLE post (
            id INTEGER NOT NULL PRIMARY KEY,
            userID INTEGER NOT NULL,
            title TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        """
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any PostsTransaction {
        SQLitePosts(transaction: transaction)
    }

    public func posts(first count: Int) throws -> [Post] {
        // SQLite takes a negative limit for none.
        let sql = "SELECT id, userID, title, body FROM post ORDER BY id LIMIT ?"
        return try transaction.rows(of: .posts, sql, [max(0, count)], Post.init)
    }

    public func postCount() throws -> Int {
        try transaction.row(of: .posts, "SELECT count(*) FROM post") { try $0.value(0) }!
    }

    public func insertPost(_ post: Post) throws {
        try transaction.write(
            "INSERT INTO post VALUES (?, ?, ?, ?)", arguments(post), announcing: [.posts],
            ifTaken: PostsStoreError.postExists(id: post.id)
        )
    }

    public func replacePost(_ post: Post) throws {
        let sql = "SELECT id, userID, title, body FROM post WHERE id = ?"
        guard let old = try transaction.row(of: nil, sql, [post.id], Post.init) else {
            throw PostsStoreError.noPost(id: post.id)
        }
        guard post != old else { return }
        try transaction.write("REPLACE INTO post VALUES (?, ?, ?, ?)", arguments(post), announcing: [.posts])
    }

    public func deletePost(_ id: Int) throws -> Bool {
        try transaction.write("DELETE FROM post WHERE id = ?", [id], announcing: [.posts]) > 0
    }

    private func arguments(_ post: Post) -> [SQLiteTransaction.Argument] {
        [post.id, post.userID, post.title, post.body]
    }
}

extension Topic {
    fileprivate static let posts = Topic("posts")
}

extension Post {
    fileprivate init(_ row: Row) throws {
        try self.init(id: row.value(0), userID: row.value(1), title: row.value(2), body: row.value(3))
    }
}
