@testable import Relist
import Testing

@Suite struct UsageFaultTests {
    @Test(arguments: [
        ("Unknown option '--a'", "Error: Unknown option '--a'\nUsage: x\n  See 'x --help'.", "Unknown option '--a'. See 'x --help'."),
        ("Unknown option '--a'. Did you mean '--b'?", "See 'x --help'.", "Unknown option '--a'. Did you mean '--b'? See 'x --help'."),
        ("Unexpected argument 'a\nb\u{1B}[31m'", "See 'x --help'.", #"Unexpected argument 'a\u{a}b\u{1b}[31m'. See 'x --help'."#),
    ])
    func itIsOneLineWhateverTheArguments(fault: String, help: String, line: String) {
        #expect(UsageFault(fault, help).description == line)
    }
}
