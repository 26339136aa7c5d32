import HTTPServer
import Testing

@Suite struct RequestTests {
    @Test(arguments: [
        ("/a?b=c", "/a", "b=c"), ("/a", "/a", nil), ("/a?", "/a", ""), ("/?a?b", "/", "a?b"), ("*", "*", nil),
        ("/%3Fa%2F?%26", "/%3Fa%2F", "%26"),
    ])
    func theTargetIsSplitAtItsFirstQuestionMark(_ target: String, _ path: String, _ query: String?) {
        let request = Request(method: "GET", target: target)
        #expect(request.path == path)
        #expect(request.query.map(String.init) == query)
    }
}
