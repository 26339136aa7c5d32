public import ScreenDiff
public import ScreenModel

/// A data source that can be bound to a value that changes over time.
///
///     final class PostsController: UITableViewController, BindableDataSource {
///         private var binding: DataBinding?
///         private var posts = PostsModel()
///
///         override func viewDidLoad() {
///             super.viewDidLoad()
///             binding = bind(to: loop.map(\.model))
///         }
///
///         func show(_ model: PostsModel, animated: Bool) {
///             guard animated else { … }
///             tableView.reload(using: posts.changeset(to: model), with: .automatic) { posts = $0 }
///         }
///     }
@MainActor
public protocol BindableDataSource: AnyObject {
    /// The type of the values that the data source shows.
    associatedtype Value

    /// Shows a value instead of the previous value.
    ///
    /// - Parameter animated: True if the change from the previous value should be animated. It is false for the first value of a binding.
    ///   In this case, reload the view.
    func show(_ value: Value, animated: Bool)
}

/// The connection of a data source to a value that changes over time. The connection ends when this object is released, when the value
/// cannot change any more, or at the first change after the data source was released.
public final class DataBinding: Sendable {
    let task: Task<Void, Never>

    /// Shows each value of a sequence.
    ///
    /// - Parameter value: Returns the value to show for an element of the sequence. Its second parameter is the previous element, or `nil`
    ///   for the first element.
    @MainActor
    init<Source: BindableDataSource, Values: AsyncSequence & Sendable>(
        _ source: Source, to values: Values, _ value: @escaping @MainActor (Source, Values.Element?, Values.Element) -> Source.Value
    ) where Values.Element: Sendable {
        task = Task { @MainActor [weak source] in
            var shown: Values.Element?
            var iterator = values.makeAsyncIterator()
            // `try?` hides no errors, because the sequences of a loop and of a screen do not throw.
            while let next = try? await iterator.next(), !Task.isCancelled, let source {
                source.show(value(source, shown, next), animated: shown != nil)
                shown = next
            }
        }
    }

    deinit { task.cancel() }
}

extension BindableDataSource {
    /// Shows the state of a loop, or a part of the state, until the binding is released. If the state changes several times in quick
    /// succession, only the newest value is shown.
    public func bind(to property: LoopProperty<Value>) -> DataBinding where Value: Sendable {
        DataBinding(self, to: property) { _, _, state in state }
    }

    /// Shows values that are computed from the state of a loop, until the binding is released.
    ///
    ///     binding = dataSource.bind(to: loop.states) { shown, state in
    ///         var snapshot = state.snapshot
    ///         snapshot.reconfigureItems(state.idsOfChanges(since: shown))
    ///         return snapshot
    ///     }
    ///
    /// - Parameter value: Returns the value to show for a state. Its first parameter is the state that is shown already, or `nil` if the
    ///   new state is the first. States between the two may have been skipped.
    public func bind<State: Sendable>(
        to property: LoopProperty<State>, _ value: @escaping @MainActor (State?, State) -> Value
    ) -> DataBinding {
        DataBinding(self, to: property) { _, shown, state in value(shown, state) }
    }
}

extension BindableDataSource where Value == ListUpdate {
    /// Shows the content of a screen until the binding is released. The view performs the stages that the server computed.
    public func bind(to screen: LiveScreen) -> DataBinding {
        DataBinding(self, to: screen.updates) { _, _, update in update }
    }
}

extension BatchUpdating {
    /// Shows a change of a screen. The view performs the stages of the change. If the whole content is new, the view is reloaded.
    ///
    /// - Parameters:
    ///   - setData: Sets the data of the view. It is called in each batch before the operations, and before a reload.
    ///   - completion: A function that is called once, after the last batch or the reload has ended.
    public func reload(
        using update: ListUpdate, setData: (ListModel.Sections) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        reload(using: update.changeset, interrupt: { _ in update.isSnapshot }, setData: setData, completion: completion)
    }
}

extension ListUpdate {
    /// The changeset that a list view performs. For a snapshot, it is one stage without operations, and the list view is reloaded instead.
    var changeset: StagedChangeset<ListModel.Sections> {
        switch kind {
        case .snapshot: [Changeset(data: model.sections)]
        case .stages(let steps): steps.changeset
        }
    }

    /// A Boolean value that indicates whether the whole content is new.
    var isSnapshot: Bool {
        if case .snapshot = kind { true } else { false }
    }
}

// MARK: - Diffable data sources

/// The connection of a diffable data source to a screen. It ends when it is released.
///
/// A diffable data source identifies cells by their ids. The cell provider looks up a cell in the content that the data source shows, which
/// can be older than the content of the screen.
@MainActor
public final class ScreenBinding {
    fileprivate var binding: DataBinding?
    /// The content that the data source shows.
    public fileprivate(set) var model: ListModel?

    fileprivate init() {}

    /// Returns the cell with an id, or `nil` if the data source shows no such cell.
    ///
    /// - Parameter place: The place at which the cell is expected. If a different cell is at this place, all cells are searched.
    public func cell(for id: String, at place: CellPlace) -> ListModel.Cell? {
        guard let model else { return nil }
        let cells = place.section < model.sections.count ? model.sections[place.section].cells : nil
        if let cells, place.item < cells.count, cells[place.item].id == id { return cells[place.item] }
        return model.place(of: id).map { model[$0] }
    }
}

extension BindableDataSource {
    /// Shows the content of a screen until the binding is released.
    ///
    /// - Parameter value: Returns the value to show for a plan.
    func bind(to screen: LiveScreen, _ value: @escaping @MainActor (Self, DiffablePlan) -> Value) -> ScreenBinding {
        let shown = ScreenBinding()
        shown.binding = DataBinding(self, to: screen.updates) { [weak shown] source, before, update in
            shown?.model = update.model
            return value(source, DiffablePlan(from: before?.model, to: update))
        }
        return shown
    }
}

extension DiffableDataSource: BindableDataSource {
    public func show(_ snapshot: DiffableSnapshot<SectionID, ItemID>, animated: Bool) {
        apply(snapshot, animatingDifferences: animated)
    }
}

extension DiffableDataSource<String, String> {
    /// Shows the ids of a screen's sections and cells until the binding is released.
    public func bind(to screen: LiveScreen) -> ScreenBinding {
        bind(to: screen) { source, plan in DiffableSnapshot(plan, shown: source.snapshot()) }
    }
}
