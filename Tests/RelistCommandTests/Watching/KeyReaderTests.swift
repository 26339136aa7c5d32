import Testing

@testable import RelistCommand

@Suite("The keys of a terminal") struct KeyReaderTests {
    private func keys(_ pieces: String...) -> [KeyReader.Key] {
        var reader = KeyReader()
        return pieces.flatMap { reader.keys(in: $0.utf8) }
    }

    @Test func allKeysThatArriveInOneReadAreUnderstood() {
        #expect(keys("\u{1B}[B\u{1B}[B\rj") == [.down, .down, .enter, .character("j")])
    }

    @Test func theArrowsOfBothCursorModesAreUnderstood() {
        #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}OB") == [.up, .down, .up, .down])
        #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[1~\u{1B}OH") == [.pageUp, .pageDown, .top, .top, .top])
        #expect(keys("\u{1B}[F\u{1B}[4~\u{1B}OF\u{1B}[3~") == [.bottom, .bottom, .bottom], "the Delete key is ignored")
    }

    @Test(arguments: ["\u{1B}[B", "\u{1B}OB", "\u{1B}[1;5B", "é", "漢", "👍"]) func aSequenceCanBeSplitAtEachByte(text: String) {
        let bytes = Array(text.utf8)
        for split in 1..<bytes.count {
            var reader = KeyReader()
            #expect(reader.keys(in: bytes[..<split]) == [] && reader.isIncomplete)
            #expect(reader.keys(in: bytes[split...]) == keys(text) && !reader.isIncomplete)
        }
    }

    @Test func anEscWithoutFollowingBytesIsTheEscapeKey() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B]) == [] && reader.endSequence() == [.escape])
        #expect(reader.keys(in: Array("b".utf8)) == [.character("b")])
    }

    @Test func textAfterAnEscIsNotLost() {
        #expect(keys("\u{1B}hi") == [.escape, .character("h"), .character("i")])
        #expect(keys("\u{1B}\u{1B}[B") == [.escape, .down])
    }

    @Test func unknownAndBrokenSequencesAreIgnored() {
        #expect(keys("\u{1B}[3~x") == [.character("x")])
        #expect(keys("\u{1B}[1;\rx") == [.enter, .character("x")])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 40), "x") == [.character("x")])
    }

    @Test func aReturnWithALineFeedIsOneKey() {
        #expect(keys("a\r\nb") == [.character("a"), .enter, .character("b")])
        #expect(keys("\r", "\n") == [.enter] && keys("\r\r") == [.enter, .enter])
    }

    @Test func bytesThatAreNotTextAreIgnored() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0xFF, 0x80, 0xC3, 0x41, 0x00, 0xC2, 0x85]) == [.character("A")])
    }

    @Test func controlKeysAreUnderstood() {
        #expect(keys("\u{7F}\u{8}\u{15}\u{3}\u{4}") == [.backspace, .backspace, .clear, .end, .end])
    }
}
