import HTTPServer
import ScreenService
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite struct ClientAddressTests {
    private static let proxies = ["10.0.0.0/8", "2001:db8:99::/48"].compactMap(AddressRange.init)

    private func key(
        peer: String?, _ headers: Headers = [:], behind proxies: [AddressRange] = proxies,
        within layer: any Middleware = FixedCaller(.anonymous)
    ) throws -> LimitKey {
        let request = Request(method: "GET", target: "/", headers: headers, peer: peer.flatMap { NetworkAddress($0) })
        let seen = Mutex<LimitKey?>(nil)
        _ = ClientAddress(behind: proxies).reply(to: RequestContext(request)) { context in
            layer.reply(to: context) { context in
                let key = context.limitKey
                seen.withLock { $0 = key }
                return .response(Response())
            }
        }
        return try #require(seen.withLock { $0 })
    }

    @Test func theLimitKeyOfARequestIsTheAddressOfItsPeer() throws {
        #expect(try key(peer: "192.0.2.1") == .address("192.0.2.1"))
        #expect(try key(peer: "::ffff:192.0.2.1") == .address("192.0.2.1"))
        #expect(try key(peer: "2001:db8:1:2:3:4:5:6") == key(peer: "2001:db8:1:2::1"))
        #expect(try key(peer: "2001:db8:1:2::1") != key(peer: "2001:db8:1:3::1"))
        #expect(try key(peer: "2001:db8:1:2::1") == .address(high: 0x2001_0DB8_0001_0002, low: 0))
        #expect(try key(peer: "192.0.2.1") == .address(high: 0, low: 0xFFFF_C000_0201))
        #expect(try key(peer: nil) == .unknown)
    }

    @Test func forwardingFieldsFromAnUntrustedPeerAreIgnored() throws {
        let headers: Headers = ["X-Forwarded-For": "198.51.100.7", "Forwarded": "for=198.51.100.7"]
        #expect(try key(peer: "192.0.2.1", headers) == .address("192.0.2.1"))
        #expect(try key(peer: "10.0.0.1", headers, behind: []) == .address("10.0.0.1"))
    }

    @Test(arguments: [
        ("198.51.100.7", "198.51.100.7"), ("203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("203.0.113.9,198.51.100.7,10.1.2.3", "198.51.100.7"),
        ("198.51.100.7 , 2001:db8:99::5", "198.51.100.7"), ("198.51.100.7:4711", "198.51.100.7"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:80", "2001:db8:1:2::/64"), ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"), ("::ffff:198.51.100.7", "198.51.100.7"),
        ("10.0.0.9", "10.0.0.9"), ("10.0.0.9, 10.0.0.8", "10.0.0.9"), ("", "10.0.0.1"), (",", "10.0.0.1"), ("unknown", "10.0.0.1"),
        ("203.0.113.9, unknown", "10.0.0.1"), ("203.0.113.9, unknown, 10.0.0.7", "10.0.0.7"), ("203.0.113.9,", "10.0.0.1"),
        ("198.51.100.7 evil", "10.0.0.1"), ("[198.51.100.7", "10.0.0.1"), ("localhost", "10.0.0.1"),
    ])
    func theLastUntrustedAddressOfAForwardingFieldIsTheClientAddress(_ list: String, _ network: String) throws {
        #expect(try key(peer: "10.0.0.1", ["X-Forwarded-For": list]) == .address(network))
    }

    @Test func repeatedForwardingFieldsAreReadAsOneList() throws {
        #expect(
            try key(peer: "10.0.0.1", ["X-Forwarded-For": "203.0.113.9", "x-forwarded-for": "198.51.100.7"]) == .address("198.51.100.7"))
        #expect(try key(peer: "10.0.0.1", ["Forwarded": "for=203.0.113.9", "forwarded": "for=198.51.100.7"]) == .address("198.51.100.7"))
    }

    @Test(arguments: [
        ("for=198.51.100.7", "198.51.100.7"), ("For=198.51.100.7;proto=http;by=203.0.113.43", "198.51.100.7"),
        (#"for="198.51.100.7:4711""#, "198.51.100.7"), (#"For="[2001:db8:1:2::17]:4711""#, "2001:db8:1:2::/64"),
        ("for=203.0.113.9, for=198.51.100.7;by=10.0.0.1, for=10.0.0.7", "198.51.100.7"), ("proto=https; for=198.51.100.7", "198.51.100.7"),
        (#"for=198.51.100.7;host="a,b;for=203.0.113.9""#, "198.51.100.7"), (#"for="\198.51.100.7""#, "198.51.100.7"),
        ("for=203.0.113.9, for=_hidden, for=10.0.0.7", "10.0.0.7"), ("for=203.0.113.9, proto=https", "10.0.0.1"),
        ("for=unknown", "10.0.0.1"),
        // A client could send the beginning of a quoted string to hide the element that the proxy adds.
        (#"for=203.0.113.9, for="x, for=198.51.100.7"#, "10.0.0.1"), (#"for=203.0.113.9, for=", for="198.51.100.7""#, "10.0.0.1"),
        (#"for=203.0.113.9;x="\, for=198.51.100.7"#, "10.0.0.1"), ("for=203.0.113.9;for=198.51.100.7", "10.0.0.1"), ("for", "10.0.0.1"),
        ("for=", "10.0.0.1"), ("for=198.51.100.7 x", "10.0.0.1"), ("", "10.0.0.1"), ("for=198.51.100.7,", "10.0.0.1"),
    ])
    func theClientAddressIsReadFromTheForwardedField(_ field: String, _ network: String) throws {
        #expect(try key(peer: "10.0.0.1", ["Forwarded": field]) == .address(network))
    }

    @Test(arguments: [("X-Forwarded-For", ""), ("Forwarded", "for=")]) func aForwardingFieldWithTooManyAddressesIsIgnored(
        _ name: String, _ prefix: String
    ) throws {
        func list(_ count: Int) -> String {
            (0..<count).map { prefix + ($0 == 0 ? "198.51.100.7" : "10.0.0.7") }.joined(separator: ", ")
        }
        #expect(try key(peer: "10.0.0.1", [name: list(16)]) == .address("198.51.100.7"))
        #expect(try key(peer: "10.0.0.1", [name: list(17)]) == .address("10.0.0.1"))
    }

    /// Some proxies set only one of the fields `Forwarded` and `X-Forwarded-For`. Then the other field can contain text that the client
    /// sent.
    @Test func forwardingFieldsThatNameDifferentClientsAreIgnored() throws {
        let forged: Headers = ["Forwarded": "for=203.0.113.9", "X-Forwarded-For": "198.51.100.7"]
        #expect(try key(peer: "10.0.0.1", forged) == .address("10.0.0.1"))
        let agreeing: Headers = ["Forwarded": "for=198.51.100.7", "X-Forwarded-For": "198.51.100.7"]
        #expect(try key(peer: "10.0.0.1", agreeing) == .address("198.51.100.7"))
    }

    /// A layer that replaces the caller of a request, as a team's own layer could.
    private struct Replacing: Middleware {
        let caller: Caller

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            context.caller = caller
            return next(context)
        }
    }

    @Test func onlyACallerWithoutALimitKeyIsLimitedByItsAddress() throws {
        #expect(try key(peer: "192.0.2.1", within: FixedCaller(.user("demo"))) == .address("192.0.2.1"))
        #expect(try key(peer: "192.0.2.1", within: Replacing(caller: .anonymous)) == .address("192.0.2.1"))
        var caller = Caller.user("ada")
        caller.limitKey = .user("ada")
        #expect(try key(peer: "192.0.2.1", within: Replacing(caller: caller)) == .user("ada"))
    }

    @Test func usersAndAddressesHaveDifferentLimitKeys() {
        #expect(LimitKey.user("192.0.2.1") != .address("192.0.2.1"))
        #expect(LimitKey.user("") != .unknown)
        #expect(LimitKey.user("\u{e9}") != .user("e\u{301}"))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.255.0.1", true),
        ("10.0.0.1", "10.0.0.1", true),
        ("10.0.0.1", "10.0.0.2", false), ("10.0.0.1/32", "10.0.0.1", true), ("10.0.0.2/31", "10.0.0.3", true),
        ("10.0.0.2/31", "10.0.0.4", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ("::/0", "203.0.113.9", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::1", "2001:db8::1", true),
        ("2001:db8::1/128", "2001:db8::2", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("2001:db8::/64", "2001:db8::8000:0:0:1", true), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
        ("::ffff:10.0.0.0/104", "11.1.1.1", false),
        ("::ffff:0:0/90", "10.1.1.1", false),
    ])
    func anAddressRangeContainsTheAddressesWithItsPrefix(_ range: String, _ address: String, _ isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(#require(NetworkAddress(address))) == isIn)
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10/8", "/8", "proxy", "[::1]",
        "10.0.0.0/8 ",
    ])
    func aMalformedAddressRangeIsRejected(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}

extension LimitKey {
    /// Returns the limit key of the clients at an IPv4 address or in an IPv6 network.
    ///
    /// - Parameter network: The text of an IPv4 address, or of the /64 prefix of an IPv6 address.
    fileprivate static func address(_ network: String) -> LimitKey {
        guard let address = NetworkAddress(network.replacing("/64", with: "")) else { return .unknown }
        return .address(high: address.high, low: address.isIPv4 ? address.low : 0)
    }
}
