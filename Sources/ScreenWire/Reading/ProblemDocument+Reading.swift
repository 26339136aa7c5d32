public import ScreenModel

extension ProblemDocument {
    /// Reads a problem. The problem can come from a proxy, so no member is required. A member that is missing or has an unexpected JSON
    /// type is ignored (RFC 9457, section 3.1).
    ///
    /// - Parameter status: The status code of the response. It is used if the problem has no status.
    /// - Throws: A fault if the value is not an object.
    public init(_ json: JSONValue, status: Int) throws(DocumentFaults) {
        guard case .object = json else {
            let cause = DocumentFault.Cause.wrongKind(expected: "an object", found: json.kind)
            throw DocumentFaults(faults: [DocumentFault(pointer: JSONPointer(), cause: cause)])
        }
        self.init(
            type: json["type"]?.string ?? "about:blank", title: json["title"]?.string ?? "", status: json["status"]?.wholeNumber ?? status,
            detail: json["detail"]?.string ?? "", errors: json["errors"]?.elements.compactMap(Fault.init) ?? [],
            outcome: json["outcome"]?.string.flatMap(Outcome.init), requestID: json["requestId"]?.string
        )
    }
}

extension ProblemDocument.Fault {
    fileprivate init?(_ json: JSONValue) {
        if let pointer = json["pointer"]?.string {
            self.init(at: .pointer(pointer), json["detail"]?.string ?? "")
        } else if let name = json["parameter"]?.string {
            self.init(at: .parameter(name), json["detail"]?.string ?? "")
        } else {
            return nil
        }
    }
}

extension JSONValue {
    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
