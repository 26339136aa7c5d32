public import ExampleStores
public import RelistPostgres
import ScreenService

/// Posts in PostgreSQL.
public struct PostgresPosts: PostgresTables, PostsTransaction {
    public static let migration = PostgresMigration(
        "posts",
        """
        CREATE TABLE example.post (
            id bigint NOT NULL PRIMARY KEY,
            user_id bigint NOT NULL,
            title text NOT NULL,
            body text NOT NULL
        );
        """
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any PostsTransaction {
        PostgresPosts(transaction: transaction)
    }

    public func posts(first count: Int) throws -> [Post] {
        let sql = "SELECT id, user_id, title, body FROM example.post ORDER BY id LIMIT $1"
        return try transaction.rows(of: .posts, sql, [max(0, count)], Post.init)
    }

    public func postCount() throws -> Int {
        try transaction.row(of: .posts, "SELECT count(*) FROM example.post") { try $0[0] }!
    }

    public func insertPost(_ post: Post) throws {
        try transaction.write(
            "INSERT INTO example.post VALUES ($1, $2, $3, $4)", arguments(post), announcing: [.posts],
            ifTaken: PostsStoreError.postExists(id: post.id)
        )
    }

    public func replacePost(_ post: Post) throws {
        let sql = "SELECT id, user_id, title, body FROM example.post WHERE id = $1"
        guard let old = try transaction.row(of: nil, sql, [post.id], Post.init) else {
            throw PostsStoreError.noPost(id: post.id)
        }
        guard post != old else { return }
        try transaction.write(
            "UPDATE example.post SET user_id = $2, title = $3, body = $4 WHERE id = $1", arguments(post), announcing: [.posts]
        )
    }

    public func deletePost(_ id: Int) throws -> Bool {
        try transaction.write("DELETE FROM example.post WHERE id = $1", [id], announcing: [.posts]) > 0
    }

    private func arguments(_ post: Post) -> [PostgresTransaction.Argument] {
        [post.id, post.userID, post.title, post.body]
    }
}

extension Topic {
    fileprivate static let posts = Topic("posts")
}

extension Post {
    fileprivate init(_ row: PostgresRow) throws {
        try self.init(id: row[0], userID: row[1], title: row[2], body: row[3])
    }
}
