extension ScreenService {
    /// Runs the handler of a team's route with the deadline of the service. If the deadline passes, the function throws `late`, and the
    /// handler counts as a straggler of the path until it ends.
    ///
    /// - Throws: `late`, ``DeadlineFault/tooManyStragglers``, and the errors of the handler.
    package func run<Input: Sendable, Value: Sendable>(
        at path: String, _ handler: @escaping @Sendable (Input) async throws -> Value, _ input: Input, within deadline: Deadline?,
        late: any Error
    ) async throws -> Value {
        try computations.stragglers.admit(path)
        return try await (deadline ?? self.deadline).value {
            try await handler(input)
        } late: { [stragglers = computations.stragglers] task in
            stragglers.add(task, of: path)
            return late
        }
    }
}

extension Access {
    /// Returns a Boolean value that indicates whether a caller satisfies the rule.
    package func admits(_ caller: Caller) -> Bool { refusal(of: caller) == nil }
}
