import ScreenDiff
import ScreenWire

/// Is a model rendered: its document, its version, and the outline to diff it by.
public struct RenderedSnapshot: Sendable {
    let document: SnapshotDocument
    let version: Version
    let outline: Outline
    /// Stands for the title in history.
    let title: UInt64
    /// How many cells and sections got another id, because theirs was taken.
    let renamedCount: Int
}
