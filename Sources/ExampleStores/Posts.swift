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

/// What the `posts` screen reads and writes within a transaction.
public protocol PostsTransaction: ExampleInserting {
    /// The first `count` posts, or all where there are fewer, ordered by id; none where `count`
    /// is not positive.
    func posts(first count: Int) throws -> [Post]

    /// How many posts there are.
    func postCount() throws -> Int

    /// - Throws: ``PostsStoreError/postExists(id:)``
    mutating func insertPost(_ post: Post) throws

    /// Puts `post` in the place of the one with its id.
    ///
    /// - Throws: ``PostsStoreError/noPost(id:)``
    mutating func replacePost(_ post: Post) throws

    /// Deletes a post; false where there is none with this id.
    @discardableResult
    mutating func deletePost(_ id: Int) throws -> Bool
}

extension PostsTransaction {
    public static var examplesPart: Int { 1 }

    public mutating func insertExamples() throws {
        for post in Examples.posts { try insertPost(post) }
    }
}

/// What the `posts` screen keeps of an upstream's posts within a transaction, for all processes that show them.
///
/// Reading records no topic: screens say what of it they show.
public protocol PostsFeedTransaction {
    /// What was saved last of an upstream, JSON; nil where nothing was.
    func postsFeed(of upstream: String) throws -> String?

    /// Saves `json`, which may have some hundred kilobytes. The commit announces to all processes what
    /// ``PostsFeedTopics`` names, at once: who waits for progress shall not be shown what was there before.
    ///
    /// - Parameter isShown: whether screens show something else now.
    mutating func savePostsFeed(_ json: String, of upstream: String, isShown: Bool) throws
}

/// The names of the topics of what ``PostsFeedTransaction`` saves.
public enum PostsFeedTopics {
    /// Announced with all that is saved.
    public static let progress = "posts/feed/progress"
    /// Announced with what screens show.
    public static let shown = "posts/feed"
}

/// Why posts could not be written.
public enum PostsStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case postExists(id: Int)
    case noPost(id: Int)

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .postExists(let id): "There is a post \(id) already."
        case .noPost(let id): "There is no post \(id)."
        }
    }
}
