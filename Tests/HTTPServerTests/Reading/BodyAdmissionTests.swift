import Testing

@testable import HTTPServer

@Suite struct BodyAdmissionTests {
    @Test func aBodyIsKeptUpToItsLimitAndReadUpToTwiceThat() {
        #expect(BodyAdmission.of(10, after: 0, limit: 10) == .keep)
        #expect(BodyAdmission.of(1, after: 10, limit: 10) == .discard)
        #expect(BodyAdmission.of(11, after: 10, limit: 10) == .discard)
        #expect(BodyAdmission.of(12, after: 10, limit: 10) == .cut)
    }
}
