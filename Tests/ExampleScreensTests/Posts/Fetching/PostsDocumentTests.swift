import ExampleRecords
import Testing

@testable import ExampleScreens

struct PostsDocumentTests {
    @Test func postsOfJSONPlaceholderAreDecoded() throws {
        let posts = try read(
            """
            [
              {"userId": 1, "id": 2, "title": "qui est esse", "body": "est rerum\\nsequi sint"},
              {"userId": 1, "id": 1, "title": "", "body": "", "more": {"ignored": true}}
            ]
            """
        )
        #expect(
            posts == [
                Post(id: 2, userID: 1, title: "qui est esse", body: "est rerum\nsequi sint"),
                Post(id: 1, userID: 1, title: "", body: ""),
            ])
    }

    @Test func anEmptyListOfPostsIsAValidPage() throws {
        #expect(try read("[]") == [])
        #expect(try read(" [ ] \n") == [])
    }

    @Test(arguments: [
        "<script>alert(1)</script>", #"\u0000\u0007\u202e"#, #"\ud83d\udc51 👑 Ω"#, #"\"]}\\"#,
        "'; DROP TABLE post; --", "$id",
    ])
    func theTextsOfAPostMayContainAnyCharacters(text: String) throws {
        let document = #"[{"id":1,"userId":1,"title":"\#(text)","body":"\#(text)"}]"#
        let post = try #require(try read(document).first)
        #expect(post.title == post.body)
        #expect(!post.title.isEmpty)
    }

    @Test(arguments: [
        "", " ", "<html>no</html>", "[", #"[{"id":1,"userId":1,"title":"","body":""}"#, "[] []", "nul", #"["\ud800"]"#, "[1,]",
        String(repeating: "[", count: 100_000),
    ])
    func invalidJSONIsRejected(document: String) {
        #expect(throws: PostsFailure.notJSON) { try read(document) }
    }

    @Test func invalidUTF8IsRejected() {
        let bytes = Array(#"[{"id":1,"userId":1,"title":""#.utf8) + [0xFF, 0xFE] + Array(#"","body":""}]"#.utf8)
        #expect(throws: PostsFailure.notJSON) { try PostsDocument.posts(in: bytes) }
    }

    @Test(arguments: [
        ("{}", ""), ("null", ""), ("1", ""), (#""posts""#, ""), (#"{"posts":[]}"#, ""), ("[1]", "/0"), ("[null]", "/0"),
        ("[[]]", "/0"), ("[{}]", "/0/id"), (post(id: "0"), "/0/id"), (post(id: "-1"), "/0/id"), (post(id: "1.5"), "/0/id"),
        (post(id: #""1""#), "/0/id"), (post(id: "true"), "/0/id"), (post(id: "null"), "/0/id"),
        (post(id: "9223372036854775808"), "/0/id"), (post(id: "1e400"), "/0/id"), (post(userID: "0"), "/0/userId"),
        (post(title: "null"), "/0/title"), (post(title: "1"), "/0/title"), (post(body: #"["a"]"#), "/0/body"),
        (post(title: "\"\(String(repeating: "x", count: 4001))\""), "/0/title"),
        (post(body: "\"\(String(repeating: "x", count: 100_001))\""), "/0/body"),
        (#"[{"id":1,"userId":1,"title":"","body":""},{"id":2,"userId":1,"title":""}]"#, "/1/body"),
    ])
    func aPostWithAWrongValueIsRejectedWithTheJSONPointerOfTheValue(document: String, place: String) {
        #expect(throws: PostsFailure.wrongShape(at: place)) { try read(document) }
    }

    @Test func textsOfTheMaximumLengthAreAccepted() throws {
        let title = String(repeating: "é", count: 2000)
        let body = String(repeating: "x", count: 100_000)
        let posts = try read(Self.post(id: "9223372036854775807", title: "\"\(title)\"", body: "\"\(body)\""))
        #expect(posts == [Post(id: .max, userID: 1, title: title, body: body)])
    }

    private func read(_ document: String) throws -> [Post] {
        try PostsDocument.posts(in: Array(document.utf8))
    }

    private static func post(
        id: String = "1", userID: String = "1", title: String = "\"\"", body: String = "\"\""
    ) -> String {
        #"[{"id":\#(id),"userId":\#(userID),"title":\#(title),"body":\#(body)}]"#
    }
}
