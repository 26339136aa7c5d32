import Foundation
import Logging
import ScreenHTTP
import ScreenService
import Testing

@testable import Relist

@Suite struct ServerConfigurationTests {
    @Test func everySettingHasADefault() throws {
        let configuration = try ServerConfiguration(flags: [:], environment: [:])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.database == "relist.sqlite")
        #expect(configuration.publicFolder == nil)
        #expect(configuration.authentication == nil)
        #expect(configuration.origins.isEmpty)
        #expect(configuration.hosts == AllowedHosts())
        #expect(configuration.proxies.isEmpty)
        #expect(configuration.logLevel == .notice)
        #expect(configuration.historyBounds.age == 30 * 24 * 3600)
        #expect(configuration.historyBounds.bytes == 256 << 20)
        #expect(configuration.historyBounds.memoryBytes == 64 << 20)
        #expect(configuration.viewCacheBytes == 256 << 20)
        #expect(configuration.bodyBytes == 64 << 20)
        #expect(configuration.followingBounds == FollowingBounds())
        #expect(configuration.sharedCacheSeconds == 0)
        #expect(configuration.deadline == .seconds(10))
        #expect(configuration.drain == .seconds(5))
        #expect(configuration.grace == .seconds(10))
    }

    @Test func everySettingCanStandInTheEnvironment() throws {
        let configuration = try ServerConfiguration(flags: [:], environment: [
            "RELIST_HOST": "::", "RELIST_PORT": "0", "RELIST_DATABASE": "a b.sqlite", "RELIST_PUBLIC": "/p", "RELIST_LOG_LEVEL": "debug",
            "RELIST_HISTORY_DAYS": "2", "RELIST_HISTORY_BYTES": "3", "RELIST_HISTORY_MEMORY_BYTES": "1048576", "RELIST_VIEW_CACHE_BYTES": "10",
            "RELIST_BODY_BYTES": "1048577",
            "RELIST_AUTHENTICATION": "keys=/k.json", "RELIST_ISSUER": "i", "RELIST_TOKEN_AUDIENCE": "a",
            "RELIST_ALLOW_ORIGIN": "https://a.example,http://localhost:3000", "RELIST_DRAIN_SECONDS": "6",
            "RELIST_ALLOW_HOST": "a.example,b", "RELIST_TRUSTED_PROXY": "10.0.0.0/8,::1",
            "RELIST_GRACE_SECONDS": "5", "RELIST_DEADLINE_SECONDS": "6", "RELIST_SHARED_CACHE_SECONDS": "7",
            "RELIST_FOLLOWED_VIEWS": "8", "RELIST_FOLLOWED_BYTES": "9", "RELIST_CALLER_SHARE": "10",
        ])
        #expect(configuration.host == "::")
        #expect(configuration.port == 0)
        #expect(configuration.database == "a b.sqlite")
        #expect(configuration.publicFolder == "/p")
        #expect(
            configuration.authentication
                == AuthenticationSettings(.keys("/k.json"), issuer: "i", audience: "a", database: "a b.sqlite")
        )
        #expect(configuration.origins == ["https://a.example", "http://localhost:3000"].compactMap(CrossOrigin.Origin.init))
        #expect(configuration.hosts == AllowedHosts(["a.example", "b"].compactMap(AllowedHosts.Name.init)))
        #expect(configuration.proxies == ["10.0.0.0/8", "::1"].compactMap(AddressRange.init))
        #expect(configuration.logLevel == .debug)
        #expect(configuration.historyBounds.age == 2 * 24 * 3600)
        #expect(configuration.historyBounds.bytes == 3)
        #expect(configuration.historyBounds.memoryBytes == 1 << 20)
        #expect(configuration.viewCacheBytes == 10)
        #expect(configuration.bodyBytes == 1_048_577)
        #expect(configuration.followingBounds == FollowingBounds(views: 8, bytes: 9, callerShare: 10))
        #expect(configuration.sharedCacheSeconds == 7)
        #expect(configuration.drain == .seconds(6))
        #expect(configuration.grace == .seconds(5))
        #expect(configuration.deadline == .seconds(6))
    }

    @Test func followedViewsTakeThreeQuartersOfTheViewCacheUnlessSaidOtherwise() throws {
        let configuration = try ServerConfiguration(flags: [.viewCacheBytes: "1000"], environment: [:])
        #expect(configuration.followingBounds.bytes == 750)
        let all = try ServerConfiguration(flags: [.viewCacheBytes: "1000", .followedBytes: "1000"], environment: [:])
        #expect(all.followingBounds.bytes == 1000)
        let fault = ConfigurationFaults.Fault(
            source: "--followed-bytes", text: "1001", expected: "must not be more than --view-cache-bytes, which is 1000"
        )
        #expect(throws: ConfigurationFaults(faults: [fault])) {
            try ServerConfiguration(flags: [.viewCacheBytes: "1000", .followedBytes: "1001"], environment: [:])
        }
    }

    @Test func aFlagWinsOverTheEnvironment() throws {
        let configuration = try ServerConfiguration(
            flags: [.port: "1", .logLevel: "error"], environment: ["RELIST_PORT": "none", "RELIST_LOG_LEVEL": "", "RELIST_HOST": "127.0.0.2"]
        )
        #expect(configuration.port == 1)
        #expect(configuration.logLevel == .error)
        #expect(configuration.host == "127.0.0.2")
    }

    @Test(arguments: [
        (Setting.port, "65535"), (.callerShare, "1"), (.callerShare, "100"), (.followedViews, "0"), (.followedBytes, "0"),
        (.historyMemoryBytes, "1048576"), (.historyDays, "36500"), (.historyBytes, "0"), (.historyBytes, "1099511627776"),
        (.viewCacheBytes, "0"), (.receiptBytes, "1048576"), (.callerReceiptBytes, "1024"), (.logLevel, "critical"),
        (.other, "http://h"), (.other, "HTTP://[::1]:65535/"), (.other, ""), (.graceSeconds, "0"), (.graceSeconds, "3600"),
        (.deadlineSeconds, "1"), (.deadlineSeconds, "3600"), (.sharedCacheSeconds, "0"), (.sharedCacheSeconds, "3600"),
        (.drainSeconds, "0"), (.drainSeconds, "3600"), (.authentication, "demo"), (.authentication, "development"),
        (.allowOrigin, "*"), (.allowOrigin, "http://[::1]:8080"), (.host, "localhost"), (.host, "::1"),
        (.allowHost, "Lists.example.com."), (.allowHost, ""), (.trustedProxy, "10.0.0.0/8"), (.trustedProxy, "2001:db8::/32"),
    ])
    func boundsBelongToWhatIsAllowed(_ setting: Setting, _ text: String) throws {
        _ = try ServerConfiguration(flags: [setting: text], environment: [:])
    }

    @Test(arguments: [
        (Setting.port, "65536"), (.callerShare, "0"), (.callerShare, "101"), (.port, "-1"), (.port, "80 "), (.port, "0x50"), (.port, "8080.0"), (.historyMemoryBytes, "0"),
        (.historyMemoryBytes, "1048575"), (.historyDays, "0"), (.historyDays, "36501"), (.historyBytes, "-1"), (.historyBytes, "1e9"),
        (.viewCacheBytes, "99999999999999999999"), (.receiptBytes, "1048575"), (.callerReceiptBytes, "1023"), (.logLevel, "loud"), (.logLevel, "Debug"), (.host, ""), (.database, ""),
        (.publicFolder, ""), (.port, ""), (.other, "posts.example"), (.other, "ftp://h"), (.other, "http://"),
        (.other, "http:///posts"), (.other, "http://h?page=1"), (.other, "http://h/#a"), (.other, "//h"),
        (.other, "http://u:p@h"), (.other, "http://h:0"), (.other, "http://h:65536"),
        (.other, "http://a b"), (.graceSeconds, "-1"), (.graceSeconds, "3601"), (.graceSeconds, "10s"),
        (.deadlineSeconds, "0"), (.deadlineSeconds, "3601"), (.deadlineSeconds, "1.5"),
        (.sharedCacheSeconds, "-1"), (.sharedCacheSeconds, "3601"), (.sharedCacheSeconds, "1s"),
        (.drainSeconds, "-1"), (.drainSeconds, "3601"), (.drainSeconds, "5s"), (.authentication, "keys="), (.authentication, "Demo"),
        (.issuer, "i"), (.tokenAudience, "a"), (.allowOrigin, "https://a.example/"), (.allowOrigin, "a.example"),
        (.allowOrigin, "https://A.example"), (.allowOrigin, "null"), (.allowOrigin, "https://a.example:443"), (.allowOrigin, "https://a.example:x"), (.host, "0.0.0.0"), (.host, "::"), (.host, "127.evil.example"),
        (.allowHost, "a.example:80"), (.allowHost, "*"), (.allowHost, "http://a.example"), (.trustedProxy, "10.0.0.0/33"), (.trustedProxy, "proxy"),
    ])
    func whatIsNotAllowedIsAFaultOfItsFlagOrItsVariable(_ setting: Setting, _ text: String) throws {
        for (flags, environment, source) in [
            ([setting: text], [:], setting.flag), ([:], [setting.variable: text], setting.variable),
        ] as [([Setting: String], [String: String], String)] {
            let faults = #expect(throws: ConfigurationFaults.self) {
                try ServerConfiguration(flags: flags, environment: environment)
            }
            #expect(faults?.faults.map(\.source) == [source])
            #expect(faults?.faults.map(\.text) == [text])
        }
    }

    @Test(arguments: ["demo", "development", "keys=/k.json", "keys=a=b"]) func onAnyAddressOneCanSayWhoMayAsk(_ choice: String) throws {
        let issuer = choice.hasPrefix("keys=") ? "i" : nil
        let configuration = try ServerConfiguration(
            flags: [Setting.host: "0.0.0.0", .authentication: choice, .issuer: issuer].compactMapValues(\.self), environment: [:]
        )
        #expect(configuration.host == "0.0.0.0")
    }

    /// With a key set, a page elsewhere has no token to send.
    @Test func withKeysAnyHostWillDoUnlessSomeAreNamed() throws {
        let keys: [Setting: String] = [.authentication: "keys=/k.json", .issuer: "i"]
        #expect(try ServerConfiguration(flags: keys, environment: [:]).hosts == nil)
        for flags in [keys, [.authentication: "development"], [.authentication: "demo"], [:]] {
            let hosts = try ServerConfiguration(flags: flags.merging([.allowHost: "a.example"]) { $1 }, environment: [:]).hosts
            #expect(hosts == AllowedHosts(["a.example"].compactMap(AllowedHosts.Name.init)))
        }
        #expect(try ServerConfiguration(flags: [.authentication: "development"], environment: [:]).hosts == AllowedHosts())
    }

    @Test func aKeyOfDevelopmentLiesBesideAFile() {
        let flags: [Setting: String] = [.authentication: "development", .database: "postgres://relist@127.0.0.1/relist"]
        let faults = #expect(throws: ConfigurationFaults.self) { try ServerConfiguration(flags: flags, environment: [:]) }
        #expect(faults?.faults.map(\.source) == ["--authentication"])
    }

    @Test func whoseTokensAreTakenHasToBeSaid() throws {
        let faults = #expect(throws: ConfigurationFaults.self) {
            try ServerConfiguration(flags: [.authentication: "keys=/k.json"], environment: [:])
        }
        #expect(faults?.faults.map(\.source) == ["--issuer"])
    }

    @Test func allFaultsAreToldAtOnce() {
        let faults = ConfigurationFaults(faults: [
            .init(source: "--host", text: "", expected: "must not be empty"),
            .init(source: "RELIST_PORT", text: "http", expected: "must be a whole number from 0 to 65535"),
            .init(
                source: "--log-level", text: "loud", expected: "must be one of trace, debug, info, notice, warning, error, critical"
            ),
            .init(source: "RELIST_HISTORY_DAYS", text: "0", expected: "must be a whole number from 1 to 36500"),
        ])
        #expect(throws: faults) {
            try ServerConfiguration(
                flags: [.host: "", .logLevel: "loud"], environment: ["RELIST_PORT": "http", "RELIST_HISTORY_DAYS": "0", "PORT": "x"]
            )
        }
        #expect(faults.description.split(separator: "\n").first == #"--host is "" but must not be empty."#)
        #expect(faults.description.split(separator: "\n").count == 4)
    }

    @Test func aVariableIsNamedAfterItsFlag() {
        #expect(Setting.viewCacheBytes.flag == "--view-cache-bytes")
        #expect(Setting.viewCacheBytes.variable == "RELIST_VIEW_CACHE_BYTES")
        #expect(Setting.publicFolder.variable == "RELIST_PUBLIC")
    }
}

extension Setting {
    /// One that a program has beside those of every server.
    fileprivate static let other = Setting("other-url", default: "")
}

extension ServerConfiguration {
    fileprivate init(flags: [Setting: String], environment: [String: String]) throws(ConfigurationFaults) {
        var reader = SettingReader(flags: flags, environment: environment)
        _ = reader.url(.other)
        try self.init(&reader)
    }
}
