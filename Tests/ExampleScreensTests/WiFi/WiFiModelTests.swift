import ScreenModel
import ScreenService
import Testing

@testable import ExampleRecords
@testable import ExampleScreens

struct WiFiModelTests {
    private let found = [
        FoundNetwork(network: WiFiNetwork.known["grange"]!, signal: -50),
        FoundNetwork(network: WiFiNetwork.known["invites"]!, signal: -70),
    ]

    @Test func whileWiFiIsOffTheScreenShowsASwitchAndAHint() {
        let model = WiFi.model(of: WiFiSettings(isOn: false, joinedNetwork: "grange"), found, in: .english)
        #expect(
            transcript(model) == [
                "section power", "power switch label=Wi-Fi isOn=false", "footer hint text=Turn Wi-Fi on to see networks.",
            ])
    }

    @Test func networksInRangeAreSortedFromStrongToWeak() {
        let model = WiFi.model(of: .initial, found, in: .french)
        #expect(
            transcript(model) == [
                "section power", "power switch label=Wi-Fi isOn=true",
                "section networks", "header section title=Réseaux à portée",
                "grange network name=La Grange detail=Sécurisé, fort bars=4 isSecured=true isJoined=false",
                "invites network name=Invités detail=Ouvert, moyen bars=2 isSecured=false isJoined=false",
            ])
    }

    @Test func theJoinedNetworkHasItsOwnSection() {
        let model = WiFi.model(of: WiFiSettings(isOn: true, joinedNetwork: "invites"), found, in: .english)
        #expect(model.map(\.id) == ["power", "joined", "networks"])
        #expect(model[1].map(\.id) == ["invites"])
        #expect(model[2].map(\.id) == ["grange"])
    }

    @Test func aJoinedNetworkOutOfRangeIsShownWithoutSignalBars() {
        let model = WiFi.model(of: WiFiSettings(isOn: true, joinedNetwork: "camping"), found, in: .english)
        #expect(
            transcript(model).contains(
                "camping network name=Camping du Lac detail=Open, out of range bars=0 isSecured=false isJoined=true"
            ))
    }

    @Test func onlyTheActionToJoinASecuredNetworkAsksForAPassword() {
        let model = WiFi.model(of: .initial, found, in: .english)
        let inputs = model[1].map { $0.selection?.action?.input }
        #expect(inputs == [["network": "grange", "password": ""], ["network": "invites"]])
    }
}
