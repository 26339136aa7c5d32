import HTTPServer
import Testing

@Suite struct RequestTests {
    @Test(arguments: [
        ("/a?b=c", "/a", "b=c"), ("/a", "/a", nil), ("/a?", "/a", ""), ("/?a?b", "/", "a?b"), ("*", "*", nil),
        ("/%3Fa%2F?%26", "/%3Fa%2F", "%26"), ("/a://b/c", "/a://b/c", nil), ("/a?http://b/c", "/a", "http://b/c"),
    ])
    func theTargetIsSplitAtTheFirstQuestionMark(_ target: String, _ path: String, _ query: String?) {
        let request = Request(method: "GET", target: target)
        #expect(request.path == path)
        #expect(request.query.map(String.init) == query)
    }

    @Test(arguments: [
        ("http://a/b/c?d", "/b/c", "d"), ("HTTPS://a:1/", "/", nil), ("http://a", "/", nil), ("http://a?b/c", "/", "b/c"),
        ("http://[::1]:8080/a://b", "/a://b", nil),
    ])
    func aTargetThatIsAWholeURLIsSplitIntoItsPathAndQuery(_ target: String, _ path: String, _ query: String?) {
        let request = Request(method: "GET", target: target)
        #expect(request.path == path)
        #expect(request.query.map(String.init) == query)
    }
}
