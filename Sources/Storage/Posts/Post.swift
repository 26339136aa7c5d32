/// A short text that someone published, in the shape that JSONPlaceholder's `/posts` has.
public struct Post: Hashable, Sendable {
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
