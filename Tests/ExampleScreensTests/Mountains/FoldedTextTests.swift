import Testing

@testable import ExampleScreens

struct FoldedTextTests {
    @Test(arguments: [
        ("Mont Blanc", "mont blanc"), ("MÖNCH", "monch"), ("Mo\u{308}nch", "monch"), ("Großglockner", "grossglockner"),
        ("Snæfellsjökull", "snaefellsjokull"), ("Galdhøpiggen", "galdhopiggen"), ("Łysica", "lysica"), ("ŁYSICA", "lysica"),
        ("Herðubreið", "herdubreid"), ("Þ", "th"), ("Đ", "d"), ("Œ", "oe"), ("Ağrı Dağı", "agri dagi"),
        ("Phan Xi Păng", "phan xi pang"), ("Pic du Midi d’Ossau", "pic du midi d'ossau"), ("Ｋ２", "k2"),
        ("", ""), ("富士山", "富士山"), ("🏔", "🏔"),
    ])
    func foldedTextsHaveNoUppercaseLettersAndNoAccents(text: String, folded: String) {
        #expect(FoldedText(text).text == folded)
    }

    @Test func foldingAFoldedTextDoesNotChangeIt() {
        for text in ["Snæfellsjökull", "İstanbul", "ǅ", "ﬁ", "Ａ", "é̈", "ß"] {
            let once = FoldedText(text)
            #expect(FoldedText(once.text) == once)
        }
    }

    @Test func foldedTextsAreOrderedByTheirBytes() {
        #expect(FoldedText("Ämter") < FoldedText("Berg"))
        #expect(FoldedText("k2") < FoldedText("Kailash"))
        #expect(FoldedText("Z") < FoldedText("富"))
        #expect(!(FoldedText("É") < FoldedText("e")) && !(FoldedText("e") < FoldedText("É")))
    }
}
