/// Says everything that is wrong with a configuration.
struct ConfigurationFaults: Error, Equatable, CustomStringConvertible {
    let faults: [Fault]

    struct Fault: Equatable {
        /// The flag or the variable of the environment.
        let source: String
        let text: String
        let expected: String
    }

    var description: String {
        faults.map { "\($0.source) is \"\($0.text)\" but \($0.expected)." }.joined(separator: "\n")
    }
}
