import Testing

@testable import HTTPServer

@Suite struct HostFieldTests {
    private func isValid(_ text: String) -> Bool {
        HostField.isValid(Array(text.utf8).span)
    }

    @Test(arguments: [
        "", "a", "A.example", "a:", "a:8080", ":80", "[::1]", "[::ffff:1.2.3.4]:80", "1.2.3.4", "a_b~c!$&'()*+,;=%4a", "a \t",
    ])
    func aHostWithOrWithoutAPortIsValid(_ text: String) {
        #expect(isValid(text))
    }

    @Test(arguments: [
        "a b", "a/b", "u@a", "a:8a", "a:80:80", "[", "[]", "[::1", "[::1]a", "::1", "[a]", "[v1.a]", "%", "%4", "%4z", "%zz", "ü", "a\u{0}",
        "a#", "a?",
    ])
    func aMalformedHostIsInvalid(_ text: String) {
        #expect(!isValid(text))
    }
}
