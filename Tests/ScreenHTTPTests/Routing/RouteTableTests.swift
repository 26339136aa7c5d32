import HTTPServer
import RawClient
@testable import ScreenHTTP
import ScreenService
import Testing

@Suite struct RouteTableTests {
    private func table() async throws -> RouteTable { try await Transport.memory.serve().api.routes }

    @Test(arguments: [
        ("/screens/notes", "/screens/{screen}", PathArguments(screen: "notes")),
        ("/screens/a%2Fb%20", "/screens/{screen}", PathArguments(screen: "a/b ")),
        ("/screens/é/changes", "/screens/{screen}/changes", PathArguments(screen: "é")),
        ("/screens//changes", "/screens/{screen}/changes", PathArguments()),
        ("/screens/notes/actions/add", "/screens/{screen}/actions/{action}", PathArguments(screen: "notes", action: "add")),
        ("/screens", "/screens", PathArguments()), ("/%68ealthz", "/healthz", PathArguments()),
        ("/readyz", "/readyz", PathArguments()), ("/metrics", "/metrics", PathArguments()),
        ("/", "/{file}", PathArguments(file: [""])), ("*", "/{file}", PathArguments()), ("", "/{file}", PathArguments()),
        ("/screens/", "/{file}", PathArguments(file: ["screens", ""])),
        ("/screens/notes/", "/{file}", PathArguments(file: ["screens", "notes", ""])),
        ("/screens/notes/changes/", "/{file}", PathArguments(file: ["screens", "notes", "changes", ""])),
        ("/screens/notes/actions/", "/{file}", PathArguments(file: ["screens", "notes", "actions", ""])),
        ("/a/%2e./b", "/{file}", PathArguments(file: ["a", "..", "b"])),
    ])
    func aPathHasItsRoute(_ example: (path: String, template: String, arguments: PathArguments)) async throws {
        let route = try await table().route(of: Request(method: "GET", target: example.path))
        #expect(route.template == example.template)
        #expect(route.path == example.arguments)
    }

    @Test(arguments: ["/%", "/%zz", "/screens/%zz", "/screens/a/%f", "/a/b/c/%80", "/screens/notes/actions/%ff"])
    func aPathThatCannotBeDecodedHasNone(_ path: String) async throws {
        let table = try await table()
        let problem = #expect(throws: Problem.self) { try table.route(of: Request(method: "GET", target: path)) }
        #expect(problem?.kind == .invalidTarget)
    }

    /// Documents are made of the table: nothing of it may be left to be guessed.
    @Test func theTableIsComplete() async throws {
        let routes = try await table().routes
        #expect(Set(routes.map(\.path.template)).count == routes.count)
        for operation in routes.flatMap(\.operations) {
            #expect(operation.summary.hasSuffix("."))
            #expect(operation.answers.contains { $0.status == 200 })
            #expect((operation.body != nil) == (operation.method == .post))
            #expect(operation.problems.isDisjoint(with: Operation.commonProblems))
        }
        let declared = routes.flatMap(\.operations).reduce(Operation.commonProblems) { $0.union($1.problems) }
        // What has no operation: its path cannot be read, or takes other methods, or a layer does not know who asks.
        #expect(declared.union([.invalidTarget, .methodNotAllowed, .invalidToken]) == Set(Problem.Kind.allCases))
    }

    @Test func aParameterOfTheProtocolIsTakenSomewhere() async throws {
        let taken = try await table().routes.flatMap(\.operations).flatMap { operation in
            switch operation.query {
            case .ignored: [ProtocolParameter]()
            case .taking(let taken), .ofScreen(let taken): taken
            }
        }
        #expect(Set(taken) == Set(ProtocolParameter.allCases))
    }
}
