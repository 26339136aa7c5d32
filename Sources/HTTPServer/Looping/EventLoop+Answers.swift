import CMicroHTTPD
import Logging

/// The way of one answer: into the library, once for each request.
extension EventLoop {
    func send(_ answer: Answer, on connection: Connection) -> MHD_Result {
        switch answer {
        case .prepared(let prepared) where !service.isDraining:
            queue(prepared.native, on: connection)
        case .prepared(let prepared):
            queue(NativeResponse(prepared.response, closesConnection: true), on: connection)
        case .response(let response):
            queue(NativeResponse(response, closesConnection: service.isDraining), on: connection)
        case .stream(let response):
            stream(response, on: connection)
        }
    }

    func refuse(_ refusal: Refusal, on connection: Connection) -> MHD_Result {
        let response = service.problem(refusal.status, refusal.detail)
        return queue(NativeResponse(response, closesConnection: service.isDraining), on: connection)
    }

    func queue(
        _ response: NativeResponse, on connection: Connection, as stage: Connection.Stage = .sending
    ) -> MHD_Result {
        connection.stage = stage
        if !response.refusedFields.isEmpty {
            service.logger.error("left out header fields that cannot be sent: \(response.refusedFields)")
        }
        if MHD_queue_response(connection.handle, response.status, response.pointer) == .YES { return .YES }
        connection.stage = .sending
        service.logger.error("a response with status \(response.status) cannot be sent")
        let substitute = NativeResponse(service.problem(500, "The answer could not be sent."))
        return MHD_queue_response(connection.handle, 500, substitute.pointer)
    }
}
