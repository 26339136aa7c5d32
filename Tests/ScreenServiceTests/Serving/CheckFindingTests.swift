import Testing

@testable import ScreenService

@Suite("Findings of checks") struct CheckFindingTests {
    @Test func aFindingIsOneLineWithTheSeverityFirst() {
        #expect(CheckFinding.ok("schema", "a\nb\u{1B}c").line == "ok       schema: a b c")
        #expect(CheckFinding.warning("clock", "x").line == "warning  clock: x")
    }

    @Test(arguments: [
        ("postgres://u:pa:s@s@h/db", "postgres:…@h/db"), ("postgres:/u:s e\nc@h", "postgres:…@h"),
        ("host=h Password = secret user=u", "host=h password=… user=u"),
        ("password='it\\'s a secret' user=u", "password=… user=u"),
        ("postgres://h/db?password=s&user=u", "postgres://h/db?password=…&user=u"),
        ("/srv/a@b/x.sqlite", "/srv/a@b/x.sqlite"),
    ])
    func passwordsAreRemoved(from text: String, result: String) {
        #expect(text.withoutPasswords == result)
    }
}
