// The tests in this file run on Apple's systems only. On Linux, they are compiled against declarations.

#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
import Foundation
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// Performs the cases of `Tests/Fixtures/Stages` on the list views of UIKit and AppKit, in a window.
@MainActor @Suite struct ListViewsInWindows {
    /// A cell, a header or a footer of a case.
    private struct Content: Decodable, Sendable {
        let id: String?
        let type: String
        let title: String?
        var text: String { "\(id ?? "") \(type) \(title ?? "")" }
    }

    /// A visible view of a cell, a header or a footer.
    @MainActor private protocol ContentView: AnyObject {
        var content: Content? { get }
    }

    /// A list view in a window, and a function that returns its visible rows in order. An invisible row is `nil`.
    private struct Shown {
        let presenter: ListPresenter
        let rows: @MainActor () -> [(any ContentView)?]

        @MainActor var texts: [String] { rows().map { $0?.content?.text ?? "no row" } }

        /// The visible cells, by id.
        @MainActor var cells: [String: any ContentView] {
            let pairs = rows().compactMap { row in row?.content?.id.map { ($0, row) } }
            return Dictionary(pairs) { first, _ in first }.compactMapValues(\.self)
        }
    }

    private struct Case {
        let name: String
        let before: SnapshotTree
        let changeset: ChangesetTree
    }

    private nonisolated static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/Stages").standardized
    private nonisolated static let names = ["across-sections", "cells", "order", "sections", "views"]

    private let client = ScreenClient(base: URL(string: "http://localhost")!, snapshots: nil, attempts: nil)

    private func cases(_ name: String) throws -> [Case] {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
        guard case .array(let cases) = try JSONReader.read(Array(bytes)) else { return [] }
        return try cases.map { one in
            guard case .string(let name) = one["name"] else { throw CocoaError(.coderReadCorrupt) }
            return Case(
                name: name, before: try SnapshotTree(one["before"] ?? .null), changeset: try ChangesetTree(one["changeset"] ?? .null))
        }
    }

    /// Returns the text of content as the views of these tests show it.
    private nonisolated func text(_ content: JSONValue, id: String? = nil) -> String {
        func member(_ name: String) -> String? { if case .string(let text) = content[name] { text } else { nil } }
        return Content(id: id, type: member("type") ?? "", title: member("title")).text
    }

    /// Returns the ids of the cells whose views must survive a change that only updates cells and sections.
    private func kept(from old: ListModel, to new: ListModel, by steps: [ListUpdate.Step]) -> [String] {
        for stage in steps.map(\.stage) {
            var others = stage
            (others.updateSections, others.updateCells) = ([], [])
            guard others.isEmpty else { return [] }
        }
        return zip(old.sections, new.sections).flatMap { old, new -> [String] in
            func types(_ section: ListModel.Section) -> [String?] {
                [section.header?.reuseIdentifier, section.footer?.reuseIdentifier] + section.supplementary.map(\.kind)
            }
            guard types(old) == types(new) else { return [] }
            return zip(old.cells, new.cells).filter { $0.reuseIdentifier == $1.reuseIdentifier }.map(\.0.id)
        }
    }

    private func texts(of model: ListModel, withViews: Bool) -> [String] {
        model.sections.flatMap { section in
            let cells = section.cells.map { text($0.content, id: $0.id) }
            guard withViews else { return cells }
            func texts(_ view: ListModel.View?) -> [String] { view.map { [text($0.content)] } ?? [] }
            return texts(section.header) + cells + texts(section.footer)
        }
    }

    /// Returns the types of the cells, and of the headers and footers, before and after a case.
    private func types(in trees: [SnapshotTree]) -> (cells: Set<String>, views: Set<String>) {
        let sections = trees.flatMap(\.sections)
        return (
            Set(sections.flatMap { $0.cells.map(\.type) }), Set(sections.flatMap { [$0.header, $0.footer].compactMap { $0?.type } })
        )
    }

    /// Performs the stages of each case one by one, and then all stages of each case at once.
    ///
    /// - Parameters:
    ///   - show: Creates a list view in a window.
    ///   - register: Registers a view for a type of cell, or for a type of header and footer.
    private func perform(
        _ name: String, withViews: Bool = false, on show: (LiveScreen, CellViews) -> Shown, register: (CellViews, String, Bool) -> Void
    ) throws {
        for one in try cases(name) {
            for isWhole in [false, true] {
                var tree = one.before
                let views = CellViews(registry: client.registry)
                let shown = show(client.screen("deliveries"), views)
                let source = ListModel(tree, registry: client.registry)
                let steps = try tree.steps(applying: one.changeset, registry: client.registry)
                let types = types(in: [one.before, tree])
                for type in types.cells { register(views, type, true) }
                for type in types.views { register(views, type, false) }
                shown.presenter.show(ListUpdate(kind: .snapshot, model: source), animated: false)
                #expect(shown.texts == texts(of: source, withViews: withViews), "\(one.name)")
                var last = source
                for part in isWhole ? [steps] : steps.map({ [$0] }) {
                    guard let model = part.last?.model else { continue }
                    let before = shown.cells
                    shown.presenter.show(ListUpdate(kind: .stages(part), model: model), animated: true)
                    #expect(shown.texts == texts(of: model, withViews: withViews), "\(one.name)")
                    let after = shown.cells
                    #if canImport(UIKit)
                    // An `NSTableView` replaces the view of a cell whose row is reloaded.
                    for id in kept(from: last, to: model, by: part) {
                        #expect(before[id] != nil && before[id] === after[id], "\(one.name): cell \(id)")
                    }
                    #endif
                    last = model
                }
            }
        }
    }

    #if canImport(UIKit)
    private final class Row: UITableViewCell, Configurable, ContentView {
        var content: Content?
        func configure(with content: Content) { self.content = content }
    }

    private final class RowHeader: UITableViewHeaderFooterView, Configurable, ContentView {
        var content: Content?
        func configure(with content: Content) { self.content = content }
    }

    private final class Item: UICollectionViewCell, Configurable, ContentView {
        var content: Content?
        func configure(with content: Content) { self.content = content }
    }

    private final class ItemHeader: UICollectionReusableView, Configurable, ContentView {
        var content: Content?
        func configure(with content: Content) { self.content = content }
    }

    @Test(arguments: names) func aTableViewInAWindowPerformsTheStages(name: String) throws {
        try perform(name) { screen, views in
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 4000))
            let view = UITableView(frame: window.bounds, style: .plain)
            window.addSubview(view)
            window.isHidden = false
            let table = ScreenTable(view, showing: screen, in: views) { _ in }
            return Shown(presenter: table.presenter) {
                window.layoutIfNeeded()
                return (0..<table.numberOfSections(in: view)).flatMap { section in
                    let header = view.headerView(forSection: section) as? RowHeader
                    #expect(header?.content?.text == table.presenter.sections[section].header.map { text($0.content) })
                    return (0..<view.numberOfRows(inSection: section)).map { row in
                        view.cellForRow(at: IndexPath(row: row, section: section)) as? Row
                    }
                }
            }
        } register: { views, type, isCell in
            if isCell { return views.register(Content.self, in: Row.self, as: type) }
            for role in [ViewRole.header, .footer] { views.register(Content.self, in: RowHeader.self, for: role, as: type) }
        }
    }

    @Test(arguments: names) func aCollectionViewInAWindowPerformsTheStages(name: String) throws {
        try perform(name) { screen, views in
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 4000))
            let layout = UICollectionViewFlowLayout()
            layout.headerReferenceSize = CGSize(width: 320, height: 20)
            let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
            window.addSubview(view)
            window.isHidden = false
            let collection = ScreenCollection(view, showing: screen, in: views) { _ in }
            return Shown(presenter: collection.presenter) {
                window.layoutIfNeeded()
                return (0..<collection.numberOfSections(in: view)).flatMap { section in
                    let place = IndexPath(item: 0, section: section)
                    let header = view.supplementaryView(forElementKind: UICollectionView.elementKindSectionHeader, at: place)
                    let content = (header as? ItemHeader)?.content
                    #expect(content?.text == collection.presenter.sections[section].header.map { text($0.content) })
                    return (0..<view.numberOfItems(inSection: section)).map { item in
                        view.cellForItem(at: IndexPath(item: item, section: section)) as? Item
                    }
                }
            }
        } register: { views, type, isCell in
            if isCell { return views.register(Content.self, in: Item.self, as: type) }
            for role in [ViewRole.header, .footer] { views.register(Content.self, in: ItemHeader.self, for: role, as: type) }
        }
    }
    #else
    private final class Row: NSView, Configurable, ContentView {
        var content: Content?
        func configure(with content: Content) { self.content = content }
    }

    @Test(arguments: names) func aTableViewInAWindowPerformsTheStages(name: String) throws {
        try perform(name, withViews: true) { screen, views in
            let window = NSWindow(
                contentRect: NSRect(x: 0, y: 0, width: 320, height: 4000), styleMask: .titled, backing: .buffered, defer: false)
            window.isReleasedWhenClosed = false
            let view = NSTableView()
            view.addTableColumn(NSTableColumn(identifier: NSUserInterfaceItemIdentifier("rows")))
            window.contentView = view
            let table = ScreenTable(view, showing: screen, in: views) { _ in }
            return Shown(presenter: table.presenter) {
                window.contentView?.layoutSubtreeIfNeeded()
                #expect(view.numberOfRows == table.numberOfRows(in: view))
                return (0..<view.numberOfRows).map { row in view.view(atColumn: 0, row: row, makeIfNecessary: true) as? Row }
            }
        } register: { views, type, isCell in
            for role in isCell ? [ViewRole.cell] : [.header, .footer] { views.register(Content.self, in: Row.self, for: role, as: type) }
        }
    }
    #endif
}
#endif
