import ScreenModel
import ScreenWire

/// Returns a line for each section, header, cell and footer of a table:
///
///     section userInfo
///     header section title=My information
///     firstName field label=First name
///     footer more title=Show more → posts limit=40
func transcript(_ model: TableViewModel<some ViewContent, some CellContent>) -> [String] {
    model.flatMap { section in
        let header = section.header.map { ["header " + line($0)] } ?? []
        let footer = section.footer.map { ["footer " + line($0)] } ?? []
        return ["section \(section.id)"] + header + section.map { "\($0.id) " + line($0) } + footer
    }
}

/// Returns a line for each section and view of a collection. The line of a view contains the size that the view has in a list of the size
/// `frame`:
///
///     album-drift-ice album title=Drift Ice 182×230 → artist album=drift-ice
///     badge of album-drift-ice badge text=New marks=new
func transcript(
    _ model: CollectionViewModel<some ViewContent, some CellContent>, in frame: Size?
) -> [String] {
    model.flatMap { section in
        let header = section.header.map { ["header " + line($0, in: frame)] } ?? []
        let footer = section.footer.map { ["footer " + line($0, in: frame)] } ?? []
        let cells = section.map { "\($0.id) " + line($0, in: frame) }
        let views = section.supplementaryViews.sorted { $0.key < $1.key }.map { key, view in
            "\(key.kind) of \(section[key.item].id) " + line(view, in: frame)
        }
        return ["section \(section.id)"] + header + cells + footer + views
    }
}

private func line(_ view: some ViewContent, in frame: Size? = nil) -> String {
    let fields = writtenFields(of: view).map { "\($0.name)=\(plain($0.value))" }
    let link = view.selection?.link.map { link in
        ["→", link.screen] + link.parameters.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
    let size = view.size(in: frame).map { ["\(points($0.width))×\(points($0.height))"] }
    let parts: [[String]] = [[view.reuseIdentifier], fields, size ?? [], link ?? []]
    return parts.joined().joined(separator: " ")
}

private func points(_ length: Double?) -> String {
    length.map { $0.rounded() == $0 ? String(Int($0)) : String($0) } ?? "frame"
}

/// Returns the fields that a view writes.
func writtenFields(of view: some ViewContent) -> [JSONValue.Member] {
    var writer = JSONWriter()
    view.write(to: &writer)
    guard case .object(let members)? = try? JSONReader.read(writer.bytes) else { return [] }
    return members
}

/// Returns a JSON value as text, without quotes. The texts of the elements of a list are joined. Null and objects are represented by the
/// names of their kinds.
private func plain(_ value: JSONValue) -> String {
    switch value {
    case .number(let text), .string(let text): text
    case .array(let elements): elements.map(plain).joined()
    case .bool(let value): "\(value)"
    case .null, .object: value.kind
    }
}
