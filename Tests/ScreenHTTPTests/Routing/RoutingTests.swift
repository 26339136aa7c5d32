import HTTPServer
import RawClient
import ScreenService
import Testing

@testable import ScreenHTTP

@Suite(.serialized) struct RoutingTests {
    private static let readOnly = ["/screens", "/screens/notes", "/healthz", "/readyz", "/metrics", "/", "/any/file"]
    private static let changes = "/screens/notes/changes"

    @Test(arguments: Transport.allCases)
    func theResponseToAnOPTIONSRequestListsTheMethodsOfThePath(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in Self.readOnly + [Self.changes, "/screens/none/changes", "*"] {
            let answer = try await site.ask(Request(method: "OPTIONS", target: target))
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            let allowed = target.hasSuffix("changes") ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS"
            #expect(answer.headers["Allow"] == allowed)
        }
    }

    @Test(arguments: Transport.allCases)
    func theProblemOfAnUnsupportedMethodListsTheSupportedMethods(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for (method, targets) in [("POST", Self.readOnly), ("DELETE", Self.readOnly + [Self.changes]), ("get", [Self.changes])] {
            for target in targets {
                let answer = try await site.ask(Request(method: method, target: target))
                #expect(try answer.expectProblem("method-not-allowed", 405).contains(method))
                #expect(answer.headers["Allow"] == (target == Self.changes ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS"))
            }
        }
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(
        arguments: Transport.allCases,
        [
            "/screens/none", "/screens/none/changes", "/screens/Notes", "/screens/notes%20", "/screens//changes",
        ])
    func theProblemOfAnUnknownScreenListsTheKnownScreens(_ transport: Transport, _ target: String) async throws {
        let site = try await transport.serve()
        #expect(try await site.get(target).expectProblem("unknown-screen", 404).contains("notes, news"))
        #expect(try await site.get("\(target)?nope=1&locale=xx").expectProblem("unknown-screen", 404).contains("notes, news"))
    }

    @Test(arguments: Transport.allCases)
    func aPathWithEscapesIsDecodedBeforeItIsMatched(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/%73creens/not%65s").status == 200)
        #expect(try await site.get("/screens%2Fnotes").status == 404)
    }

    @Test(
        arguments: Transport.allCases,
        [
            "/screens/", "/screens/notes/", "/screens/notes/changes/", "/screens/notes/other", "/healthz/x", "//screens",
            "/none", "*",
        ])
    func anUnknownPathIsReportedAsAMissingFile(_ transport: Transport, _ target: String) async throws {
        let site = try await transport.serve()
        #expect(try await site.get(target).expectProblem("not-found", 404).contains("/screens"))
    }

    /// Clients send absolute targets only to proxies, but a server must accept them (RFC 9112, section 3.2.2).
    @Test(arguments: Transport.allCases)
    func aRequestWhoseTargetIsAnAbsoluteURLIsRoutedByItsPath(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("http://test/screens/notes?limit=2").text.contains("note 2"))
        #expect(try await site.get("HTTPS://test:80/screens").status == 200)
        #expect(try await site.get("http://test").expectProblem("not-found", 404).contains("/screens"))
    }
}

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
        ("/", "/{file}", PathArguments(segments: [""])), ("*", "/{file}", PathArguments()), ("", "/{file}", PathArguments()),
        ("/screens/", "/{file}", PathArguments(segments: ["screens", ""])),
        ("/screens/notes/", "/{file}", PathArguments(segments: ["screens", "notes", ""])),
        ("/screens/notes/changes/", "/{file}", PathArguments(segments: ["screens", "notes", "changes", ""])),
        ("/screens/notes/actions/", "/{file}", PathArguments(segments: ["screens", "notes", "actions", ""])),
        ("/a/%2e./b", "/{file}", PathArguments(segments: ["a", "..", "b"])),
    ])
    func aPathMatchesItsRoute(_ example: (path: String, template: String, arguments: PathArguments)) async throws {
        let route = try await table().route(of: Request(method: "GET", target: example.path))
        #expect(route.template == example.template)
        #expect(route.path == example.arguments)
    }

    @Test(arguments: ["/%", "/%zz", "/screens/%zz", "/screens/a/%f", "/a/b/c/%80", "/screens/notes/actions/%ff"])
    func aPathThatCannotBeDecodedHasNoRoute(_ path: String) async throws {
        let table = try await table()
        let problem = #expect(throws: Problem.self) { try table.route(of: Request(method: "GET", target: path)) }
        #expect(problem?.kind == .invalidTarget)
    }

    /// The OpenAPI document is generated from the route table, so the table must be complete.
    @Test func allSuccessResponsesAndTypesOfProblemsAreDeclared() async throws {
        let routes = try await table().routes
        #expect(Set(routes.map(\.path.template)).count == routes.count)
        for operation in routes.flatMap(\.operations) {
            #expect(operation.summary?.hasSuffix(".") == true)
            #expect(operation.successes.contains { $0.status == 200 })
            #expect((operation.body != nil) == (operation.method == .post))
            #expect(operation.problems.isDisjoint(with: Operation.commonProblems))
        }
        let declared = routes.flatMap(\.operations).reduce(Operation.commonProblems) { $0.union($1.problems) }
        // These three types of problems belong to no operation. They occur if the path cannot be decoded, if the method is not supported,
        // or if a layer rejects the token.
        #expect(declared.union([.invalidTarget, .methodNotAllowed, .invalidToken]) == Set(Problem.Kind.allCases))
    }

    @Test func eachParameterOfTheProtocolIsAcceptedByAnOperation() async throws {
        let taken = try await table().routes.flatMap(\.operations).flatMap { operation in
            switch operation.query {
            case .ignored: [ProtocolParameter]()
            case .accepting(let taken), .ofScreen(let taken): taken
            }
        }
        #expect(Set(taken) == Set(ProtocolParameter.allCases))
    }
}
