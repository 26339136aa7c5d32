public import ScreenService

/// A published text. It has the properties of a post of the public test service JSONPlaceholder.
public struct Post: Hashable, Codable, Sendable {
    public let id: Int
    public var userID: Int
    public var title: String
    public var body: String

    public init(id: Int, userID: Int, title: String, body: String) {
        self.id = id
        self.userID = userID
        self.title = title
        self.body = body
    }
}

/// A transaction on posts.
public struct PostsTransaction: ExampleTransaction {
    public static let sqlite = [
        RecordMigration(
            Examples.firstStep,
            """
            CREATE TABLE post (
                id INTEGER NOT NULL PRIMARY KEY,
                userID INTEGER NOT NULL,
                title TEXT NOT NULL,
                body TEXT NOT NULL
            ) STRICT;
            """
        ),
        RecordMigration(
            "posts names",
            """
            ALTER TABLE post RENAME COLUMN userID TO user_id;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
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
    ]
    /// Part 1 of the examples contains the posts and the deliveries.
    public static let examplesPart: Int? = 1

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// Returns at most `count` posts, ordered by id.
    public func posts(first count: Int) throws -> [Post] {
        // The limit must not be negative, because SQLite treats a negative limit as no limit.
        let sql = "SELECT id, user_id, title, body FROM post ORDER BY id LIMIT $1"
        return try records.rows(of: .posts, sql, [max(0, count)], Post.init)
    }

    /// Returns the number of posts.
    public func postCount() throws -> Int {
        try records.row(of: .posts, "SELECT count(*) FROM post") { try $0[0] }!
    }

    /// Inserts a post, or throws ``PostsStoreError/postExists(id:)``.
    public mutating func insertPost(_ post: Post) throws {
        try records.write(
            "INSERT INTO post VALUES ($1, $2, $3, $4)", arguments(post), announcing: [.posts],
            ifTaken: PostsStoreError.postExists(id: post.id)
        )
    }

    /// Replaces the post that has the id of `post`, or throws ``PostsStoreError/noPost(id:)``.
    public mutating func replacePost(_ post: Post) throws {
        let sql = "SELECT id, user_id, title, body FROM post WHERE id = $1"
        guard let old = try records.row(of: nil, sql, [post.id], Post.init) else { throw PostsStoreError.noPost(id: post.id) }
        guard post != old else { return }
        try records.write("UPDATE post SET user_id = $2, title = $3, body = $4 WHERE id = $1", arguments(post), announcing: [.posts])
    }

    /// Deletes a post. Returns `false` if there is no such post.
    @discardableResult
    public mutating func deletePost(_ id: Int) throws -> Bool {
        try records.write("DELETE FROM post WHERE id = $1", [id], announcing: [.posts]) > 0
    }

    public mutating func insertExamples() throws {
        for post in try Examples.posts { try insertPost(post) }
    }

    private func arguments(_ post: Post) -> [(any RecordValue)?] {
        [post.id, post.userID, post.title, post.body]
    }
}

extension Topic {
    fileprivate static let posts = Topic("posts")
}

extension Post {
    fileprivate init(_ row: any RecordRow) throws {
        try self.init(id: row[0], userID: row[1], title: row[2], body: row[3])
    }
}

/// A transaction on the state of the posts feed, which loads posts from another server, the upstream. All replicas share the state. A
/// server on SQLite has no replicas, so SQLite has no table for the state.
///
/// Reading the state does not record a topic, because not every change of the state is visible on screens. A screen that shows posts must
/// record the topic ``shown`` itself.
public struct PostsFeedTransaction: ExampleTransaction {
    public static let sqlite: [RecordMigration] = []
    public static let postgres = [
        RecordMigration(
            "posts feed", "CREATE TABLE example.posts_feed (upstream text NOT NULL PRIMARY KEY, state text NOT NULL);"
        )
    ]
    /// The topic that is announced when the state changes, even if the change is not visible on screens.
    public static let progress = Topic("posts/feed/progress")
    /// The topic that is announced when the state changes and the change is visible on screens.
    public static let shown = Topic("posts/feed")

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// Returns the last JSON that was saved for an upstream, or `nil` if none was saved.
    public func postsFeed(of upstream: String) throws -> String? {
        try records.row(of: nil, "SELECT state FROM posts_feed WHERE upstream = $1", [upstream]) { try $0[0] }
    }

    /// Saves the state of an upstream as JSON, which can have a few hundred kilobytes. `isShown` is true if the change is visible on
    /// screens.
    public mutating func savePostsFeed(_ json: String, of upstream: String, isShown: Bool) throws {
        try records.write(
            "INSERT INTO posts_feed VALUES ($1, $2) ON CONFLICT (upstream) DO UPDATE SET state = excluded.state", [upstream, json],
            announcing: [Self.progress] + (isShown ? [Self.shown] : [])
        )
    }
}

/// An error that is thrown by a function that writes posts.
public enum PostsStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case postExists(id: Int)
    case noPost(id: Int)

    /// The description of the error for logs, in English.
    public var description: String {
        switch self {
        case .postExists(let id): "There is a post \(id) already."
        case .noPost(let id): "There is no post \(id)."
        }
    }
}
