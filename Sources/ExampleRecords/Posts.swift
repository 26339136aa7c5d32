public import ScreenService

/// A short text that someone published, in the shape that JSONPlaceholder's `/posts` has.
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
    /// With the deliveries: they came together.
    public static let examplesPart: Int? = 1

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// The first `count` posts, or all where there are fewer, ordered by id; none where `count`
    /// is not positive.
    public func posts(first count: Int) throws -> [Post] {
        // SQLite takes a negative limit for none.
        let sql = "SELECT id, user_id, title, body FROM post ORDER BY id LIMIT $1"
        return try records.rows(of: .posts, sql, [max(0, count)], Post.init)
    }

    /// The number of posts.
    public func postCount() throws -> Int {
        try records.row(of: .posts, "SELECT count(*) FROM post") { try $0[0] }!
    }

    /// - Throws: ``PostsStoreError/postExists(id:)``
    public mutating func insertPost(_ post: Post) throws {
        try records.write(
            "INSERT INTO post VALUES ($1, $2, $3, $4)", arguments(post), announcing: [.posts],
            ifTaken: PostsStoreError.postExists(id: post.id)
        )
    }

    /// Puts `post` in the place of the one with its id.
    ///
    /// - Throws: ``PostsStoreError/noPost(id:)``
    public mutating func replacePost(_ post: Post) throws {
        let sql = "SELECT id, user_id, title, body FROM post WHERE id = $1"
        guard let old = try records.row(of: nil, sql, [post.id], Post.init) else { throw PostsStoreError.noPost(id: post.id) }
        guard post != old else { return }
        try records.write("UPDATE post SET user_id = $2, title = $3, body = $4 WHERE id = $1", arguments(post), announcing: [.posts])
    }

    /// Deletes a post; false where there is none with this id.
    @discardableResult
    public mutating func deletePost(_ id: Int) throws -> Bool {
        try records.write("DELETE FROM post WHERE id = $1", [id], announcing: [.posts]) > 0
    }

    public mutating func insertExamples() throws {
        for post in Examples.posts { try insertPost(post) }
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

/// A transaction on what the `posts` screen stores of an upstream's posts, for all replicas that show them.
///
/// Reading records no topic: screens say what of it they show. A server on SQLite is alone, and stores nothing of them.
public struct PostsFeedTransaction: ExampleTransaction {
    public static let sqlite: [RecordMigration] = []
    public static let postgres = [
        RecordMigration(
            "posts feed", "CREATE TABLE example.posts_feed (upstream text NOT NULL PRIMARY KEY, state text NOT NULL);"
        )
    ]

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    /// The JSON that was saved last of an upstream; nil where nothing was.
    public func postsFeed(of upstream: String) throws -> String? {
        try records.row(of: nil, "SELECT state FROM posts_feed WHERE upstream = $1", [upstream]) { try $0[0] }
    }

    /// Saves `json`, which may have some hundred kilobytes. The commit announces the topics of ``PostsFeedTopics`` to all replicas
    /// at once: a request that waits for progress is not answered with an older state.
    ///
    /// - Parameter isShown: a Boolean value that indicates whether screens show something else now.
    public mutating func savePostsFeed(_ json: String, of upstream: String, isShown: Bool) throws {
        try records.write(
            "INSERT INTO posts_feed VALUES ($1, $2) ON CONFLICT (upstream) DO UPDATE SET state = excluded.state", [upstream, json],
            announcing: [Topic(PostsFeedTopics.progress)] + (isShown ? [Topic(PostsFeedTopics.shown)] : [])
        )
    }
}

/// The names of the topics of what ``PostsFeedTransaction`` saves.
public enum PostsFeedTopics {
    /// Announced with all that is saved.
    public static let progress = "posts/feed/progress"
    /// Announced with what screens show.
    public static let shown = "posts/feed"
}

/// A fault of a write of posts.
public enum PostsStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case postExists(id: Int)
    case noPost(id: Int)

    /// The fault in one English sentence for logs.
    public var description: String {
        switch self {
        case .postExists(let id): "There is a post \(id) already."
        case .noPost(let id): "There is no post \(id)."
        }
    }
}
