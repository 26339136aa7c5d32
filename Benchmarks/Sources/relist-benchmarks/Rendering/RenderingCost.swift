import Foundation
import ScreenModel
import ScreenService

/// Measures the rendering of 1,000 cells through the whole service, from the model to bytes, fingerprints and version. Each round announces
/// the topic that the screen reads, so that the snapshot is rendered again and stored in history.
func measureRendering() async throws {
    for sections in [1, 30] {
        let model = Prebuilt.model(sections: sections, cells: 1000)
        let bench = try await Bench([ScreenContent(title: "ORGE PLANET", model: model)])
        let view = try bench.view(of: 0)
        let cells = model.flatMap(\.cells)
        let encoder = JSONEncoder()
        let times = try await Rounds.medians(
            {
                bench.topics.announce([Prebuilt.topic])
                consume(try await bench.service.snapshot(of: view).value)
            },
            { consume(try encoder.encode(cells)) }
        )
        let bytes = try await bench.service.snapshot(of: view).value.bytes.count / cells.count
        Table.row(
            "render \(cells.count) cells of \(bytes) bytes in \(sections) sections", times[0],
            "JSONEncoder \(times[1].text)", atMost: .milliseconds(1)
        )
    }
}
