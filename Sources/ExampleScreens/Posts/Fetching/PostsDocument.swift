import ExampleRecords
import ScreenWire

/// A strict decoder for a JSON list of objects with `id`, `userId`, `title` and `body`. Ids must be positive, and the lengths of texts are
/// limited. Other keys are ignored.
enum PostsDocument {
    /// The maximum length of a title, in bytes of UTF-8.
    static let longestTitle = 4000
    /// The maximum length of a body, in bytes of UTF-8.
    static let longestBody = 100_000

    static func posts(in document: [UInt8]) throws(PostsFailure) -> [Post] {
        let json: JSONValue
        do {
            json = try JSONReader.read(document)
        } catch {
            throw .notJSON
        }
        guard case .array(let entries) = json else { throw .wrongShape(at: "") }
        var posts: [Post] = []
        for (index, json) in entries.enumerated() { posts.append(try Entry(json: json, place: "/\(index)").post()) }
        return posts
    }

    private struct Entry {
        let json: JSONValue
        /// The JSON pointer to `json` in the document.
        let place: String

        func post() throws(PostsFailure) -> Post {
            guard case .object = json else { throw .wrongShape(at: place) }
            return Post(
                id: try number("id"), userID: try number("userId"),
                title: try text("title", longest: longestTitle), body: try text("body", longest: longestBody)
            )
        }

        private func number(_ key: String) throws(PostsFailure) -> Int {
            guard case .number(let digits)? = json[key], let number = Int(digits), number > 0 else { throw fault(key) }
            return number
        }

        private func text(_ key: String, longest: Int) throws(PostsFailure) -> String {
            guard case .string(let text)? = json[key], text.utf8.count <= longest else { throw fault(key) }
            return text
        }

        private func fault(_ key: String) -> PostsFailure {
            .wrongShape(at: "\(place)/\(key)")
        }
    }
}
