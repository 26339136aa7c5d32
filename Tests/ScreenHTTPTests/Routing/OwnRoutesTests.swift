import HTTPServer
import RawClient
import ScreenModel
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

/// Tests of the routes of a team.
@Suite struct OwnRoutesTests {
    private func api(
        _ routes: [Route], as caller: Caller = .user("ada"), deadline: Deadline = .after(.seconds(3600))
    ) async throws -> ScreenAPI {
        let service = try await ScreenService(
            catalog: try ScreenCatalog([], locales: [.english, .french]), store: ServiceStoreInMemory(), deadline: deadline, logger: .quiet
        )
        return ScreenAPI(
            service: service, publicFolder: nil, routes: try OwnRoutes(routes), middleware: [FixedCaller(caller)], logger: .quiet
        )
    }

    private func ask(
        _ api: ScreenAPI, _ method: String, _ target: String, _ body: String = "", _ headers: Headers = ["Content-Type": "application/json"]
    ) async throws -> RawResponse {
        let request = Request(method: method, target: target, headers: headers)
        return try RawResponse(try await api.reply(to: request).answer(reading: .success(Array(body.utf8))), to: method)
    }

    private struct Order: Decodable {
        let dish: String
        let count: Int
    }

    @Test func aHandlerReceivesTheCallerThePathTheQueryAndTheBody() async throws {
        let route = Route(.put, "/kitchen/{table}/orders/{number}") { request in
            let order = try request.decode(Order.self)
            return .json([
                request.caller.user ?? "", request["table"], request["number"], request["other"], request.query("at") ?? "", order.dish,
                request.locale.language,
            ])
        }
        let headers: Headers = ["Content-Type": "application/json; charset=utf-8", "Accept-Language": "fr"]
        let target = "/kitchen/by%20the%20window/orders/7?x=1&at=18%3A30+h"
        let answer = try await ask(api([route]), "PUT", target, #"{"dish":"soup","count":2}"#, headers)
        #expect(answer.status == 200)
        #expect(try answer.json == ["ada", "by the window", "7", "", "18:30 h", "soup", "fr"])
        #expect(answer.headers["Cache-Control"] == "no-store" && answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["Content-Type"] == "application/json")
    }

    @Test(arguments: ["..%2Fsecret", "..", ".", "a%5Cb", "a%00b", "%2Fetc%2Fpasswd", ""])
    func aPlaceholderMatchesOnlyOneName(_ segment: String) async throws {
        let api = try await api([Route(.get, "/exports/{name}") { _ in .text("") }])
        #expect(try await ask(api, "GET", "/exports/\(segment)").status != 200)
        #expect(try await ask(api, "GET", "/exports/a..b").status == 200)
    }

    @Test func onlyARegularFileIsSent() async throws {
        let api = try await api([Route(.get, "/device") { _ in try await .file(at: "/dev/null") }])
        #expect(try await ask(api, "GET", "/device").status == 404)
    }

    @Test func theOpenAPIDocumentContainsOnlyTheRoutesThatTheCallerMayUse() async throws {
        let routes = [
            Route(.get, "/menu", "Lists the dishes.", access: .everyone) { _ in .text("") },
            Route(.get, "/wages", "Lists the wages.", access: .users(with: "role", "chief")) { _ in .text("") },
        ]
        let api = try await api(routes)
        let paths = try #require(try await ask(api, "GET", "/openapi.json").json["paths"])
        #expect(paths["/menu"] != nil && paths["/wages"] == nil)
        let chief = Caller.user("grace", claims: Claims(.object([.init("role", .string("chief"))])))
        let all = try #require(try await ask(self.api(routes, as: chief), "GET", "/openapi.json").json["paths"])
        #expect(all["/menu"] != nil && all["/wages"] != nil)
    }

    @Test func errorsOfHandlersAreSentAsProblems() async throws {
        struct Unexpected: Error {}
        let api = try await api([
            Route(.get, "/none") { _ in throw Problem.notFound("There is no printer.") },
            Route(.get, "/rule") { _ in throw BrokenRules([BrokenRule(field: "a/b", "It is too long.")]) },
            Route(.get, "/data") { _ in throw DataUnavailable(reason: "the printer is off") },
            Route(.get, "/file") { _ in try await .file(at: "/no/such/file") },
            Route(.get, "/bug") { _ in throw Unexpected() },
            Route(.post, "/order") { request in .text(try request.decode(Order.self).dish) },
        ])
        #expect(try await ask(api, "GET", "/none").expectProblem("not-found", 404) == "There is no printer.")
        _ = try await ask(api, "GET", "/rule").expectProblem("broken-rule", 422, at: ["pointer /a~1b"])
        _ = try await ask(api, "GET", "/data").expectProblem("unavailable", 503)
        _ = try await ask(api, "GET", "/file").expectProblem("not-found", 404)
        _ = try await ask(api, "GET", "/bug").expectProblem("internal-error", 500)
        let order = try await ask(api, "POST", "/order", #"{"dish":"soup","count":"two"}"#)
        #expect(try order.expectProblem("invalid-body", 400, at: ["pointer /count"]).hasPrefix("The body is not valid: "))
        #expect(try await ask(api, "POST", "/order", "{").expectProblem("invalid-body", 400).contains("not JSON"))
    }

    @Test func onlyCallersWithAccessReachAHandler() async throws {
        let routes = [
            Route(.get, "/open", access: .everyone) { _ in .text("open") },
            Route(.get, "/users") { _ in .text("users") },
            Route(.get, "/cooks", access: .users(with: "role", "cook")) { _ in .text("cooks") },
        ]
        let cook = Caller.user("ada", claims: Claims(["role": "cook"]))
        for (caller, statuses) in [(Caller.anonymous, [200, 401, 401]), (.user("bob"), [200, 200, 403]), (cook, [200, 200, 200])] {
            let api = try await api(routes, as: caller)
            var found: [Int] = []
            for target in ["/open", "/users", "/cooks"] { found.append(try await ask(api, "GET", target).status) }
            #expect(found == statuses)
        }
    }

    @Test func aBodyOfAnotherTypeOrAboveTheLimitIsRejected() async throws {
        let api = try await api([
            Route(.post, "/order", bodyLimit: 4) { _ in .text("done") },
            Route(.post, "/csv", bodyType: "text/csv") { request in .text(String(decoding: request.body, as: UTF8.self)) },
        ])
        _ = try await ask(api, "POST", "/order", "{}", ["Content-Type": "text/plain"]).expectProblem("unsupported-media-type", 415)
        _ = try await ask(api, "POST", "/order", "{}", [:]).expectProblem("unsupported-media-type", 415)
        _ = try await ask(api, "POST", "/order", "12345").expectProblem("body-too-large", 413)
        #expect(try await ask(api, "POST", "/order", "1234").text == "done")
        #expect(try await ask(api, "POST", "/csv", "a,b", ["Content-Type": "text/csv"]).text == "a,b")
    }

    @Test func aHandlerThatHangsIsGivenUpAtTheDeadline() async throws {
        // The deadline passes at once.
        let deadline = Deadline { pass in
            pass()
            return {}
        }
        let routes = [Route.Method.get, .post].map { method in
            Route(method, "/slow") { _ in
                try await Task.sleep(for: .seconds(3600))
                return .text("done")
            }
        }
        let api = try await api(routes, deadline: deadline)
        _ = try await ask(api, "GET", "/slow").expectProblem("unavailable", 503)
        _ = try await ask(api, "POST", "/slow", "{}").expectProblem("outcome-unknown", 500)
    }

    @Test func aPathAnswersToTheMethodsOfItsRoutes() async throws {
        let api = try await api([
            Route(.get, "/orders/{number}") { request in .text(request["number"]) },
            Route(.delete, "/orders/{number}") { _ in Response(status: 204) },
            Route(.get, "/orders/open") { _ in .text("fixed") },
        ])
        #expect(try await ask(api, "GET", "/orders/7").text == "7")
        #expect(try await ask(api, "HEAD", "/orders/7").status == 200)
        #expect(try await ask(api, "DELETE", "/orders/7").status == 204)
        #expect(try await ask(api, "GET", "/orders/open").text == "fixed")
        #expect(try await ask(api, "OPTIONS", "/orders/7").headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
        _ = try await ask(api, "POST", "/orders/7").expectProblem("method-not-allowed", 405)
        _ = try await ask(api, "GET", "/orders/").expectProblem("not-found", 404)
    }

    @Test func allConflictsOfRoutesAreReportedTogether() throws {
        let folder = try Folder(["kitchen.html": "x"])
        let paths = [
            "/screens/{name}", "/healthz", "/{any}", "kitchen", "/kitchen/", "/a//b", "/a/{b}/{b}", "/a%20b", "/kitchen.html", "/a/../b",
            "/",
        ]
        let routes = (paths + ["/same", "/same", "/a/{one}"]).map { path in Route(.get, path) { _ in .text("") } }
        let other = Route(.post, "/a/{two}") { _ in .text("") }
        let faults = try #require(throws: RouteFaults.self) { _ = try OwnRoutes(routes + [other], beside: folder.path) }
        let faulty = faults.faults.map { String($0.dropFirst("The route ".count).prefix { $0 != " " }) }
        #expect(faulty == paths + ["/same", "/a/{two}"])
    }

    @Test func theOpenAPIDocumentListsTheRoutesThatAreDescribed() async throws {
        let api = try await api([
            Route(.get, "/orders/{number}", "Returns an order.") { _ in .text("") },
            Route(.put, "/orders/{number}", "Changes an order.") { _ in .text("") },
            Route(.get, "/secret") { _ in .text("") },
        ])
        let paths = try #require(try await ask(api, "GET", "/openapi.json").json["paths"])
        let orders = try #require(paths["/orders/{number}"])
        #expect(orders.names == ["get", "put"] && paths["/secret"] == nil)
        #expect(orders["get"]?["summary"] == "Returns an order." && orders["get"]?["operationId"] == "getOrdersNumber")
        #expect(orders["get"]?["parameters"]?.elements.first?["name"] == "number")
        #expect(orders["put"]?["requestBody"]?["content"]?.names == ["application/json"])
        #expect(orders["put"]?["responses"]?["413"] != nil)
    }
}

extension JSONValue {
    fileprivate var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }
}
