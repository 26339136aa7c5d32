import HTTPServer
import Logging
import ScreenHTTP
import ScreenService
import ScreenWire
import TemporaryDatabase
import Testing

@testable import RelistTokens

/// Tests of the users that the page offers on a server with development authentication.
@Suite struct DevelopmentUsersTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func authentication(of users: [DevelopmentUser]?) async throws -> any Authenticating {
        var settings = AuthenticationSettings(.development, database: folder.database)
        if let users { settings.developmentUsers = users }
        return try await TokenAuthentication.open(settings, logger: logger)
    }

    /// Returns the listed users.
    private func listed(by authentication: any Authenticating) async throws -> [JSONValue] {
        let request = RequestContext(Request(method: "GET", target: "/development/users"))
        let reply = authentication.layer.reply(to: request) { _ in .response(Response(status: 404)) }
        guard case .response(let response) = try await reply.answer else { return [] }
        guard case .array(let users)? = try JSONReader.read(response.body)["users"] else { return [] }
        return users
    }

    @Test func theListedUsersAreThoseOfTheProgramWithTheirClaims() async throws {
        let users = [DevelopmentUser("ada", claims: ["role": "cook", "tables": [1, 2]]), DevelopmentUser("grace")]
        let listed = try await listed(by: authentication(of: users))
        #expect(listed.map { $0["name"] } == ["ada", "grace"])
        #expect(listed.map { $0["claims"] } == [["role": "cook", "tables": [1, 2]], [:]])
    }

    @Test func aPageOfAnotherOriginReceivesNoTokens() async throws {
        let request = Request(method: "GET", target: "/development/users", headers: ["Origin": "https://evil.example"])
        let layer = try await authentication(of: nil).layer
        #expect(try await layer.reply(to: RequestContext(request)) { _ in .response(Response(status: 404)) }.answer.status == 403)
    }

    @Test func aProgramThatNamesNoUsersHasThreeExamples() async throws {
        #expect(try await listed(by: authentication(of: nil)).map { $0["name"] } == ["alice", "bob", "demo"])
    }

    @Test func theTokenOfADevelopmentUserCarriesItsClaims() async throws {
        let authentication = try await authentication(of: [DevelopmentUser("ada", claims: ["role": "cook"])])
        guard case .string(let token)? = try await listed(by: authentication).first?["token"] else { throw Missing() }
        let request = Request(method: "GET", target: "/", headers: ["Authorization": "Bearer \(token)"])
        let reply = authentication.layer.reply(to: RequestContext(request)) { context in
            let isCook = context.caller.user == "ada" && context.caller.claims.contains("cook", in: "role")
            return .response(Response(status: isCook ? 200 : 403))
        }
        #expect(try await reply.answer.status == 200)
    }

    @Test func allFaultsOfDevelopmentUsersAreReportedAtTheStart() async throws {
        let users = [DevelopmentUser(""), DevelopmentUser("ada"), DevelopmentUser("ada", claims: ["exp": 1])]
        let fault = try await #require(throws: SettingsFault.self) { _ = try await authentication(of: users) }
        #expect(fault.description.split(separator: "\n").count == 3)
        #expect(fault.description.contains(#""ada" is there twice"#) && fault.description.contains("the claim exp"))
    }

    private struct Missing: Error {}
}
