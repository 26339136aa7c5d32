import RawServer

extension RawServer.Answer {
    /// Returns a response with the posts that have these ids.
    static func posts(_ ids: some Sequence<Int>) -> Self {
        let posts = ids.map { #"{"userId":1,"id":\#($0),"title":"Title \#($0)","body":"Body \#($0)"}"# }
        return .response(200, "Content-Type: application/json", body: "[\(posts.joined(separator: ","))]")
    }
}
