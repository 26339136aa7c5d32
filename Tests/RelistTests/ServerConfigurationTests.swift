import ArgumentParser
import Foundation
import HTTPServer
import Logging
import ScreenHTTP
import ScreenService
import Testing

@testable import Relist

@Suite struct ServerConfigurationTests {
    @Test func aConfigurationWithoutFlagsAndVariablesHasTheDefaultValues() throws {
        let configuration = try ServerConfiguration(flags: [:], environment: [:])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.adminPort == nil && configuration.adminHost == "127.0.0.1" && configuration.metricsPort == nil)
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

    @Test func everySettingHasAnEnvironmentVariable() throws {
        let configuration = try ServerConfiguration(
            flags: [:],
            environment: [
                "RELIST_ADMIN_PORT": "11", "RELIST_ADMIN_HOST": "::1", "RELIST_METRICS": "public",
                "RELIST_HOST": "::", "RELIST_PORT": "0", "RELIST_DATABASE": "a b.sqlite", "RELIST_PUBLIC": "/p",
                "RELIST_LOG_LEVEL": "debug",
                "RELIST_HISTORY_DAYS": "2", "RELIST_HISTORY_BYTES": "3", "RELIST_HISTORY_MEMORY_BYTES": "1048576",
                "RELIST_VIEW_CACHE_BYTES": "10",
                "RELIST_BODY_BYTES": "1048577",
                "RELIST_AUTHENTICATION": "keys=/k.json", "RELIST_ISSUER": "i", "RELIST_TOKEN_AUDIENCE": "a",
                "RELIST_ALLOW_ORIGIN": "https://a.example,http://localhost:3000", "RELIST_DRAIN_SECONDS": "6",
                "RELIST_ALLOW_HOST": "a.example,b", "RELIST_TRUSTED_PROXY": "10.0.0.0/8,::1",
                "RELIST_GRACE_SECONDS": "5", "RELIST_DEADLINE_SECONDS": "6", "RELIST_SHARED_CACHE_SECONDS": "7",
                "RELIST_FOLLOWED_VIEWS": "8", "RELIST_FOLLOWED_BYTES": "9", "RELIST_CALLER_SHARE": "10",
            ])
        #expect(configuration.host == "::")
        #expect(configuration.port == 0)
        #expect(configuration.adminPort == 11 && configuration.adminHost == "::1" && configuration.metricsPort == .public)
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

    @Test func followedViewsUseThreeQuartersOfTheViewCacheByDefault() throws {
        let configuration = try ServerConfiguration(flags: ["view-cache-bytes": "1000"], environment: [:])
        #expect(configuration.followingBounds.bytes == 750)
        let all = try ServerConfiguration(flags: ["view-cache-bytes": "1000", "followed-bytes": "1000"], environment: [:])
        #expect(all.followingBounds.bytes == 1000)
        let fault = ConfigurationFaults.Fault(
            source: "--followed-bytes", text: "1001", expected: "must not be more than --view-cache-bytes, which is 1000"
        )
        #expect(throws: ConfigurationFaults(faults: [fault])) {
            try ServerConfiguration(flags: ["view-cache-bytes": "1000", "followed-bytes": "1001"], environment: [:])
        }
    }

    @Test func aFlagOverridesTheEnvironmentVariableOfItsSetting() throws {
        let configuration = try ServerConfiguration(
            flags: ["port": "1", "log-level": "error"],
            environment: ["RELIST_PORT": "none", "RELIST_LOG_LEVEL": "", "RELIST_HOST": "127.0.0.2"]
        )
        #expect(configuration.port == 1)
        #expect(configuration.logLevel == .error)
        #expect(configuration.host == "127.0.0.2")
    }

    @Test(arguments: [
        ("port", "65535"), ("caller-share", "1"), ("caller-share", "100"), ("followed-views", "0"), ("followed-bytes", "0"),
        ("history-memory-bytes", "1048576"), ("history-days", "36500"), ("history-bytes", "0"), ("history-bytes", "1099511627776"),
        ("view-cache-bytes", "0"), ("receipt-bytes", "1048576"), ("caller-receipt-bytes", "1024"), ("log-level", "critical"),
        ("other-url", "http://h"), ("other-url", "HTTP://[::1]:65535/"), ("other-url", ""), ("grace-seconds", "0"),
        ("grace-seconds", "3600"),
        ("deadline-seconds", "1"), ("deadline-seconds", "3600"), ("shared-cache-seconds", "0"), ("shared-cache-seconds", "3600"),
        ("drain-seconds", "0"), ("drain-seconds", "3600"), ("authentication", "demo"), ("authentication", "development"),
        ("allow-origin", "*"), ("allow-origin", "http://[::1]:8080"), ("host", "localhost"), ("host", "::1"),
        ("allow-host", "Lists.example.com."), ("allow-host", ""), ("trusted-proxy", "10.0.0.0/8"), ("trusted-proxy", "2001:db8::/32"),
    ])
    func validValuesOfSettingsAreAcceptedIncludingTheBounds(_ setting: String, _ text: String) throws {
        _ = try ServerConfiguration(flags: [:], environment: [variable(of: setting): text])
    }

    @Test(arguments: [
        ("port", "65536"), ("caller-share", "0"), ("caller-share", "101"), ("port", "-1"), ("port", "80 "), ("port", "0x50"),
        ("port", "8080.0"), ("history-memory-bytes", "0"),
        ("history-memory-bytes", "1048575"), ("history-days", "0"), ("history-days", "36501"), ("history-bytes", "-1"),
        ("history-bytes", "1e9"),
        ("view-cache-bytes", "99999999999999999999"), ("receipt-bytes", "1048575"), ("caller-receipt-bytes", "1023"), ("log-level", "loud"),
        ("log-level", "Debug"), ("host", ""), ("database", ""),
        ("public", ""), ("port", ""), ("other-url", "posts.example"), ("other-url", "ftp://h"), ("other-url", "http://"),
        ("other-url", "http:///posts"), ("other-url", "http://h?page=1"), ("other-url", "http://h/#a"), ("other-url", "//h"),
        ("other-url", "http://u:p@h"), ("other-url", "http://h:0"), ("other-url", "http://h:65536"),
        ("other-url", "http://a b"), ("grace-seconds", "-1"), ("grace-seconds", "3601"), ("grace-seconds", "10s"),
        ("deadline-seconds", "0"), ("deadline-seconds", "3601"), ("deadline-seconds", "1.5"),
        ("shared-cache-seconds", "-1"), ("shared-cache-seconds", "3601"), ("shared-cache-seconds", "1s"),
        ("drain-seconds", "-1"), ("drain-seconds", "3601"), ("drain-seconds", "5s"), ("authentication", "keys="),
        ("authentication", "Demo"),
        ("issuer", "i"), ("token-audience", "a"), ("allow-origin", "https://a.example/"), ("allow-origin", "a.example"),
        ("allow-origin", "https://A.example"), ("allow-origin", "null"), ("allow-origin", "https://a.example:443"),
        ("allow-origin", "https://a.example:x"), ("host", "0.0.0.0"), ("host", "::"), ("host", "127.evil.example"),
        ("allow-host", "a.example:80"), ("allow-host", "*"), ("allow-host", "http://a.example"), ("trusted-proxy", "10.0.0.0/33"),
        ("trusted-proxy", "proxy"),
    ])
    func anInvalidEnvironmentVariableIsReportedWithItsNameAndText(_ setting: String, _ text: String) throws {
        let faults = #expect(throws: ConfigurationFaults.self) {
            try ServerConfiguration(flags: [:], environment: [variable(of: setting): text])
        }
        #expect(faults?.faults.map(\.source) == [variable(of: setting)])
        #expect(faults?.faults.map(\.text) == [text])
    }

    private func variable(of setting: String) -> String { "RELIST_" + setting.uppercased().replacing("-", with: "_") }

    @Test(arguments: ["demo", "development", "keys=/k.json", "keys=a=b"]) func theServerMayListenOnAnyAddressIfAuthenticationIsConfigured(
        _ choice: String
    )
        throws
    {
        let issuer = choice.hasPrefix("keys=") ? "i" : nil
        let configuration = try ServerConfiguration(
            flags: ["host": "0.0.0.0", "authentication": choice, "issuer": issuer].compactMapValues(\.self), environment: [:]
        )
        #expect(configuration.host == "0.0.0.0")
    }

    @Test func aPassedSocketThatIsNotOnALoopbackAddressRequiresAuthentication() throws {
        let socket = BoundAddress(host: "0.0.0.0", port: 80)
        let faults = #expect(throws: ConfigurationFaults.self) {
            try ServerConfiguration(ServeOptions.parse([]), socket: socket, environment: [:])
        }
        #expect(faults?.faults.map(\.source) == ["the passed socket"])
        #expect(faults?.faults.map(\.text) == ["0.0.0.0:80"])
        _ = try ServerConfiguration(ServeOptions.parse(["--authentication", "demo"]), socket: socket, environment: [:])
    }

    @Test func theHostDoesNotMatterIfALoopbackSocketIsPassed() throws {
        let options = try ServeOptions.parse(["--host", "0.0.0.0"])
        _ = try ServerConfiguration(options, socket: BoundAddress(host: "::1", port: 80), environment: [:])
    }

    /// With key authentication any host can be allowed, because a web page of another origin has no token to send.
    @Test func withKeyAuthenticationEveryHostIsAllowedUnlessHostsAreConfigured() throws {
        let keys: [String: String] = ["authentication": "keys=/k.json", "issuer": "i"]
        #expect(try ServerConfiguration(flags: keys, environment: [:]).hosts == nil)
        for flags in [keys, ["authentication": "development"], ["authentication": "demo"], [:]] {
            let hosts = try ServerConfiguration(flags: flags.merging(["allow-host": "a.example"]) { $1 }, environment: [:]).hosts
            #expect(hosts == AllowedHosts(["a.example"].compactMap(AllowedHosts.Name.init)))
        }
        #expect(try ServerConfiguration(flags: ["authentication": "development"], environment: [:]).hosts == AllowedHosts())
    }

    @Test func developmentAuthenticationRequiresADatabaseFile() {
        let flags: [String: String] = ["authentication": "development", "database": "postgres://relist@127.0.0.1/relist"]
        let faults = #expect(throws: ConfigurationFaults.self) { try ServerConfiguration(flags: flags, environment: [:]) }
        #expect(faults?.faults.map(\.source) == ["--authentication"])
    }

    @Test func keyAuthenticationRequiresAnIssuer() throws {
        let faults = #expect(throws: ConfigurationFaults.self) {
            try ServerConfiguration(flags: ["authentication": "keys=/k.json"], environment: [:])
        }
        #expect(faults?.faults.map(\.source) == ["--issuer"])
    }

    @Test func allFaultsOfAConfigurationAreReportedTogether() {
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
                flags: ["host": "", "log-level": "loud"], environment: ["RELIST_PORT": "http", "RELIST_HISTORY_DAYS": "0", "PORT": "x"]
            )
        }
        #expect(faults.description.split(separator: "\n").first == #"--host is "" but must not be empty."#)
        #expect(faults.description.split(separator: "\n").count == 4)
    }

    @Test func theValuesOfARepeatedFlagReplaceTheEnvironmentVariable() throws {
        let options = try ServeOptions.parse(["--trusted-proxy", "10.0.0.0/8, ::1", "--trusted-proxy", "10.1.1.1"])
        let configuration = try ServerConfiguration(options, environment: ["RELIST_TRUSTED_PROXY": "none"])
        #expect(configuration.proxies == ["10.0.0.0/8", "::1", "10.1.1.1"].compactMap(AddressRange.init))
        let wrong = try ServeOptions.parse(["--trusted-proxy", "a 10.0.0.0/8,b", "--trusted-proxy", "c"])
        let faults = #expect(throws: ConfigurationFaults.self) { try ServerConfiguration(wrong, environment: [:]) }
        #expect(faults?.faults.map(\.text) == ["a", "b", "c"])
    }

    @Test func aProgramReadsTheValuesOfTheFlags() throws {
        let flags = ["--database", "garden.sqlite", "--host", "::1", "--port", "81", "--public", "/p", "--log-level", "debug"]
        let options = try ServeOptions.parse(flags + ["--deadline-seconds", "3"])
        #expect(options.database == "garden.sqlite" && options.host == "::1" && options.port == 81)
        #expect(options.publicFolder == "/p" && options.logLevel == .debug && options.deadline == .seconds(3))
        #expect(try ServeOptions.parse(["--port", "http"]).port == 8080)
    }

    @Test(arguments: [(["--database", "a"], [:]), ([], ["RELIST_DATABASE": "a"])] as [([String], [String: String])])
    func aServerWithADatabaseOfItsOwnRejectsTheFlagOfTheDatabase(_ flags: [String], _ environment: [String: String]) throws {
        let options = try ServeOptions.parse(flags)
        let faults = #expect(throws: ConfigurationFaults.self) {
            try ServerConfiguration(options, takesDatabase: false, environment: environment)
        }
        #expect(faults?.faults.map(\.expected) == ["must not be given: this program opens a database of its own"])
        _ = try ServerConfiguration(try ServeOptions.parse([]), takesDatabase: false, environment: [:])
    }
}

/// The command-line options of a program that has one setting in addition to the settings of every server.
private struct OtherOptions: ParsableArguments, Sendable {
    @OptionGroup var server: ServeOptions
    @Option(.url("other-url", default: "none"), help: "Another")
    var other: Setting<URL?>

    /// The options parsed from an empty command line. They are parsed only once, because parsing is slow in a debug build.
    static let unset = Result { try parse([]) }
}

extension ServerConfiguration {
    fileprivate init(flags: [String: String], environment: [String: String]) throws {
        let options = try flags.isEmpty ? OtherOptions.unset.get() : OtherOptions.parse(flags.flatMap { ["--\($0)", $1] })
        try self.init(options.server, and: [options.other], environment: environment)
    }
}
