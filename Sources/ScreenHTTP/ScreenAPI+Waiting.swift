import HTTPServer
import ScreenService

/// The answers to who would rather wait than ask again: event streams, and requests that wait.
extension ScreenAPI {
    static let eventStreamType = "text/event-stream"

    /// Streams what is new in a view, from the version that the client holds.
    func stream(_ view: ScreenView, from version: String?, _ request: Request) -> Reply {
        let resumed = request.headers["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 } ?? version
        let headers: Headers = [
            "Content-Type": Self.eventStreamType, "Content-Language": view.locale.language, "Cache-Control": "no-store",
            "Vary": "Accept, Accept-Language",
            // nginx would collect events before it sends them on.
            "X-Accel-Buffering": "no",
        ]
        return later(in: view.locale) {
            let waker = LateWaker()
            let service = self.service
            let subscription = try await service.follow(view, wake: waker.wake)
            return .stream(
                StreamingResponse(headers: headers, heartbeat: EventStream.heartbeat) {
                    waker.set($0)
                    return EventStream(service, subscription, since: resumed, waker: $0)
                }
            )
        }
    }

    /// Answers once there is something new, or after so many seconds.
    func wait(_ seconds: Int, for view: ScreenView, from version: String?) -> Reply {
        .waiting(answering(in: view.locale) {
            let document = try await self.service.changes(of: view, from: version, waiting: .seconds(seconds))
            var response = DocumentResponses.changes(document).whole.response
            response.headers.append("Preference-Applied", "wait=\(seconds)")
            return .response(response)
        })
    }
}
