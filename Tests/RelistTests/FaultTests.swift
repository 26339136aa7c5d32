import Glibc
import HTTPServer
import Testing

@testable import Relist

@Suite("Messages about faults") struct FaultTests {
    @Test(arguments: [
        ("Unknown option '--a'", "Error: Unknown option '--a'\nUsage: x\n  See 'x --help'.", "Unknown option '--a'. See 'x --help'."),
        ("Unknown option '--a'. Did you mean '--b'?", "See 'x --help'.", "Unknown option '--a'. Did you mean '--b'? See 'x --help'."),
        ("Unexpected argument 'a\nb\u{1B}[31m'", "See 'x --help'.", #"Unexpected argument 'a\u{a}b\u{1b}[31m'. See 'x --help'."#),
    ])
    func anInvalidArgumentIsReportedInOneLine(fault: String, help: String, line: String) {
        #expect(UsageFault(fault, help).description == line)
    }

    @Test(arguments: [
        (HTTPServer.StartError.hostNotFound(host: "nowhere", code: EAI_NONAME), "The host nowhere is not known. "),
        (.cannotListen(host: "::1", port: 80, code: EADDRINUSE), "Cannot listen on ::1, port 80: Address already in use. "),
        (.noConnections, "The limit of open files leaves none for connections. "),
    ])
    func aServerThatCannotStartReportsTheReason(error: HTTPServer.StartError, message: String) {
        #expect(StartFault(error).description.hasPrefix(message))
    }

    @Test func aFaultOfTheAdminPortNamesItsFlags() {
        let taken = AdminPortFault(cause: .cannotListen(host: "::1", port: 80, code: EADDRINUSE))
        #expect(StartFault(taken).description.contains("give another --admin-port;"))
        let unknown = AdminPortFault(cause: .hostNotFound(host: "nowhere", code: EAI_NONAME))
        #expect(StartFault(unknown).description.contains("with --admin-host."))
    }
}
