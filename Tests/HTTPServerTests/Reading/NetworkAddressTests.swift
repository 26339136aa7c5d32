import Testing

@testable import HTTPServer

@Suite struct NetworkAddressTests {
    @Test(
        arguments: [
            ("192.0.2.1", 0, 0xFFFF_C000_0201), ("255.255.255.255", 0, 0xFFFF_FFFF_FFFF), ("0.0.0.0", 0, 0xFFFF_0000_0000),
            ("::FFFF:c000:201", 0, 0xFFFF_C000_0201), ("2001:DB8:1:2:3:4:5:6", 0x2001_0DB8_0001_0002, 0x0003_0004_0005_0006), ("::1", 0, 1),
            ("::192.0.2.1", 0, 0xC000_0201), ("fe80::1", 0xFE80_0000_0000_0000, 1),
        ] as [(String, UInt64, UInt64)])
    func aTextIsParsedIntoThe128BitsOfAnIPAddress(_ text: String, _ high: UInt64, _ low: UInt64) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.high == high && address.low == low)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.1.5", "192.0.2.256", "192.0.2.01", "0x7f.0.0.1", " 192.0.2.1", "192.0.2.1:80", "[::1]", "::1%lo", "::1/64",
        ":::", "12345::", "localhost", "unknown",
    ])
    func aTextThatIsNotAnIPAddressIsRejected(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func anIPv4MappedIPv6AddressEqualsTheIPv4Address() {
        #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
        #expect(NetworkAddress("192.0.2.1")?.isIPv4 == true && NetworkAddress("::192.0.2.1")?.isIPv4 == false)
    }
}
