import ScreenClient
import Testing

@testable import RelistCommand

@Suite("The state of the connection in relist watch") struct ConnectionStateTests {
    private func state(_ connection: LiveScreen.Connection, isStale: Bool = false, problem: String? = nil) -> ConnectionState {
        ConnectionState(connection: connection, isStale: isStale, isStored: false, problem: problem)
    }

    @Test func linesReportOnlyThatTheScreenIsOfflineOutdatedOrCurrentAgain() {
        var report = ConnectionReport()
        #expect(report.line(for: state(.requesting)) == nil && report.line(for: state(.streaming)) == nil)
        let offline = report.line(for: state(.waiting(until: .now), problem: "no connection"))
        #expect(offline?.hasPrefix("offline, tries again by ") == true && offline?.hasSuffix(": no connection") == true)
        #expect(report.line(for: state(.requesting)) == nil && report.line(for: state(.waiting(until: .now))) == nil)
        #expect(report.line(for: state(.streaming, isStale: true))?.contains("outdated") == true)
        #expect(report.line(for: state(.polling)) == "the screen is current again")
        #expect(report.line(for: state(.streaming)) == nil)
    }

    @Test func theTextOfTheConnectionStateNamesTheProblem() {
        #expect(state(.failed, problem: "no token").text == "stopped: no token")
        #expect(state(.streaming, isStale: true).text == "live, outdated")
    }
}
