@testable import HTTPServer
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("255.255.255.255", "255.255.255.255"), ("0.0.0.0", "0.0.0.0"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:DB8:1:2::1", "2001:db8:1:2::/64"), ("2001:db8::1", "2001:db8::/64"),
        ("::1", "::/64"), ("::192.0.2.1", "::/64"), ("fe80::1", "fe80::/64"),
    ])
    func anAddressBelongsToANetwork(_ text: String, _ network: String) throws {
        #expect(try #require(NetworkAddress(text)).network == network)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.1.5", "192.0.2.256", "192.0.2.01", "0x7f.0.0.1", " 192.0.2.1", "192.0.2.1:80", "[::1]", "::1%lo", "::1/64",
        ":::", "12345::", "localhost", "unknown",
    ])
    func anythingElseIsNoAddress(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func aMappedAddressIsTheIPv4Address() {
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("192.0.2.1")?.isIPv4 == true && NetworkAddress("::192.0.2.1")?.isIPv4 == false)
    }
}
