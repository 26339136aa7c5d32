import HTTPServer
import ScreenService

extension RequestTrace {
    /// Creates the trace of a request with these fields. A repeated field is invalid, because its values are joined with a blank.
    init(_ headers: Headers) {
        self.init(requestID: headers.list(of: Self.field), traceparent: headers.list(of: Self.parentField))
    }

    /// Returns a reply whose work runs with this trace as the current trace. If the client has sent an id, the response has the id, too.
    func applied(to reply: consuming Reply) -> Reply {
        // This is the most frequent case, and wrapping copies the reply.
        if case .now = reply.content, !isRequested { return reply }
        let reply = wrapped(reply)
        guard isRequested else { return reply }
        return reply.map { answer in
            // A problem has the field already.
            guard answer.headers[Self.field] == nil else { return answer }
            var answer = answer
            answer.headers.append(Self.field, requestID)
            return answer
        }
    }

    private func wrapped(_ reply: consuming Reply) -> Reply {
        switch reply.content {
        case .now: break
        case .later(let work): reply.content = .later { try await Self.$current.withValue(self, operation: work) }
        case .waiting(let work): reply.content = .waiting { try await Self.$current.withValue(self, operation: work) }
        case .deferred(let work):
            reply.content = .deferred { wrapped(await Self.$current.withValue(self) { await work() }) }
        case .reading(var reading):
            reading.read = { [read = reading.read] in wrapped(try read($0)) }
            reply.content = .reading(reading)
        }
        return reply
    }
}
