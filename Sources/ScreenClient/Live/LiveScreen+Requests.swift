import ScreenModel
import ScreenWire

// Functions that send the requests of the state machine (`machine`) and pass the results to it.
extension LiveScreen {
    func perform(_ id: ClientMachine.RequestID, _ request: ClientMachine.Request) {
        guard let prepared = prepare(request) else { return }
        let (exchanges, kind, name) = (client.exchanges, request.kind, name)
        tasks[id] = Task { [weak self] in
            // If the user changed before the task began, no token is requested for the earlier user.
            if Task.isCancelled { return }
            var request = prepared
            var token: String?
            do throws(Exchanges.Failed) {
                token = try await exchanges.tokens.token()
                // If the user changed while the client waited for the token, the token may belong to the new user. The change of the user
                // has cancelled this task.
                if Task.isCancelled { return }
                request.headers += Exchanges.headers(token: token)
                if case .stream = kind {
                    try await exchanges.stream(request, for: name) { [weak self] in
                        await self?.send(.opened(id))
                    } receive: { [weak self] items in
                        await self?.receive(items, id)
                    }
                    self?.endStream(id)
                } else {
                    self?.receive(try await exchanges.send(request, for: name), id, kind)
                }
            } catch {
                if !Task.isCancelled { self?.fail(id, error, kind, token: token) }
            }
        }
    }

    private func receive(_ response: Exchanges.Response, _ id: ClientMachine.RequestID, _ kind: ClientMachine.Request.Kind) {
        guard tasks.removeValue(forKey: id) != nil else { return }
        var head = response.document?.head
        if case .action(let key, _) = kind {
            // A server can ignore `Prefer: return=minimal` and send the changes of a different view. They are not shown.
            if executions[key]?.attempt.view != view { head = nil }
        } else {
            viewError = head == nil ? .unreachable : nil
        }
        let answer = ClientMachine.Answer(head, position: response.position, sharedMaxAge: response.sharedMaxAge)
        send(.answered(id, answer), response.document)
    }

    private func endStream(_ id: ClientMachine.RequestID) {
        guard tasks.removeValue(forKey: id) != nil else { return }
        viewError = nil
        send(.ended(id))
    }

    private func fail(_ id: ClientMachine.RequestID, _ failed: Exchanges.Failed, _ kind: ClientMachine.Request.Kind, token: String?) {
        tasks[id] = nil
        if failed.failure.hasStatus(401) { refusedToken = token }
        if case .action = kind {
            // The action was performed, although the changes in the response cannot be read.
            if failed.failure == .unreadable { return send(.answered(id, ClientMachine.Answer(nil))) }
            actionError = failed.error
        } else {
            viewError = failed.error
        }
        send(.failed(id, failed.failure))
    }

    private func receive(_ items: [Exchanges.StreamItem], _ id: ClientMachine.RequestID) {
        if items.isEmpty { send(.received(id)) }
        // If an item makes the client cancel the stream, the remaining items are ignored.
        for item in items where tasks[id] != nil {
            switch item {
            case .document(let document):
                viewError = nil
                send(.document(id, document.head), document)
            case .confirmed(let version):
                viewError = nil
                send(.confirmed(id, version: version))
            case .stale: send(.stale(id))
            case .pause(let pause): send(.suggestedPause(id, pause))
            }
        }
    }

    /// Returns the HTTP request, without a token, for a request of `machine`. Returns `nil` if the request is for an action that is
    /// no longer being executed.
    private func prepare(_ request: ClientMachine.Request) -> TransportRequest? {
        var http: TransportRequest
        let base = client.exchanges.base
        var accept = "application/json"
        switch request.kind {
        case .snapshot: http = TransportRequest(method: "GET", url: base + view.target())
        case .changes(let from):
            http = TransportRequest(method: "POST", url: base + view.target(["changes"]), body: Self.body(["version": .string(from)]))
        case .poll(let from):
            http = TransportRequest(method: "GET", url: base + view.target(["changes"], [("version", from)]), timeout: .seconds(75))
            http.headers.append(("Prefer", "wait=55"))
        case .stream(let from):
            http = TransportRequest(method: "GET", url: base + view.target(["changes"], [("version", from)]), timeout: .seconds(60))
            accept = "text/event-stream"
        case .action(let key, let from):
            guard let attempt = executions[key]?.attempt else { return nil }
            var body: OrderedFields<JSONValue> = ["input": attempt.input]
            // An attempt can belong to a different view, for example if an earlier process created it. The changes of that view are not
            // shown, so they are not requested.
            let from = attempt.view == view ? from : nil
            if let from { body = ["version": .string(from), "input": attempt.input] }
            http = TransportRequest(
                method: "POST", url: base + attempt.view.target(["actions", attempt.action]), body: Self.body(body))
            http.headers.append(("Idempotency-Key", key))
            if from == nil { http.headers.append(("Prefer", "return=minimal")) }
        }
        http.headers.append(("Accept", accept))
        if http.body != nil { http.headers.append(("Content-Type", "application/json")) }
        if !request.positions.isEmpty { http.headers.append(("Relist-Position", request.positions.joined(separator: ", "))) }
        return http
    }

    private static func body(_ members: OrderedFields<JSONValue>) -> [UInt8] {
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes
    }

    func renewToken() {
        let (exchanges, refused) = (client.exchanges, refusedToken)
        renewal = Task { [weak self] in
            if Task.isCancelled { return }
            do throws(Exchanges.Failed) {
                let token = try await exchanges.tokens.token(replacing: refused)
                if Task.isCancelled { return }
                self?.send(token == nil || token == refused ? .tokenFailed : .tokenRenewed)
            } catch {
                if !Task.isCancelled { self?.failRenewal(error.error) }
            }
        }
    }

    private func failRenewal(_ error: ScreenError) {
        if machine.line == .renewal { viewError = error }
        actionError = error
        send(.tokenFailed)
    }
}
