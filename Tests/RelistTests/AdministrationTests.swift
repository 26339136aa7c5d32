import ArgumentParser
import CoreMetrics
import HTTPServer
import RawClient
import Synchronization
import TemporaryDatabase
import Testing

@testable import Relist
@testable import ScreenHTTP
@testable import ScreenService

@Suite("The port for operators", .timeLimit(.minutes(1))) struct AdministrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func metricsMoveToThePortForOperators() async throws {
        try await RelistServer(screens: [Words()]).running(in: folder, ["--admin-port", "0"]) { greeting in
            let operators = try #require(greeting.administration)
            for target in ["/metrics", "/healthz", "/readyz"] {
                #expect(try await get(target, operators).status == 200, "\(target)")
            }
            #expect(try await get("/screens", operators).status == 404)
            #expect(try await get("/metrics", greeting.address).status == 404)
            #expect(try await get("/readyz", greeting.address).status == 200)
            #expect(await greeting.text().contains(" Metrics are at http://\(operators)/metrics."))
        }
    }

    @Test func aPageOfAnotherHostNameCannotReadTheMetrics() async throws {
        try await RelistServer(screens: [Words()]).running(in: folder, ["--admin-port", "0", "--allow-host", "mine.example"]) { greeting in
            let operators = try #require(greeting.administration)
            for (host, status) in [("evil.example", 421), ("mine.example", 200), ("localhost", 200)] {
                let request = "GET /metrics HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                #expect(try await RawClient(operators, sending: request).response().status == status, "\(host)")
            }
        }
    }

    @Test func aPortForOperatorsThatIsTakenKeepsTheServerFromStarting() async throws {
        let server = RelistServer(screens: [Words()])
        try await server.running(in: folder) { greeting in
            let taken = "\(greeting.address.port)"
            let other = try TemporaryFolder()
            let fault = await #expect(throws: AdminPortFault.self) {
                try await server.running(in: other, ["--admin-port", taken]) { _ in }
            }
            if case .cannotListen(_, let port, _)? = fault?.cause { #expect("\(port)" == taken) } else { Issue.record("\(fault as Any)") }
        }
    }

    @Test(arguments: [
        ([:], true), (["authentication": "development"], true), (["admin-port": "9464"], false),
        (["admin-port": "9464", "metrics": "public"], true), (["metrics": "admin"], false),
        (["authentication": "keys=a", "issuer": "i"], false), (["authentication": "keys=a", "issuer": "i", "metrics": "public"], true),
    ])
    func metricsArePublicOnlyIfCallersAreTrustedOrAFlagSaysSo(_ flags: [String: String], _ isPublic: Bool) throws {
        let options = try ServeOptions.parse(flags.flatMap { ["--\($0)", $1] })
        #expect(try ServerConfiguration(options, environment: [:]).hasPublicMetrics == isPublic)
    }

    @Test func instrumentsOfATeamAreShownAndSentToItsBackend() async throws {
        let backend = MetricsRegistry()
        var server = RelistServer(tables: []) { _, context in
            Counter(label: "orders_total", factory: context.metrics).increment(by: 3)
            return [Words()]
        }
        server.metrics = backend
        try await server.running(in: folder) { greeting in
            _ = try await get("/screens/words", greeting.address)
            #expect(try await get("/metrics", greeting.address).text.contains("\norders_total 3\n"))
        }
        let text = PrometheusText(of: backend).text
        #expect(text.contains("\norders_total 3\n"))
        #expect(text.contains("\nrelist_computation_duration_seconds_count{screen=\"words\"} 1\n"))
        let labels = #"kind="snapshot",reason="",route="/screens/{screen}",status="200""#
        #expect(text.contains("\nrelist_requests_total{\(labels)} 1\n"), "\(text)")
    }
}
