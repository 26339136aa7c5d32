import HTTPServer
import ScreenService

/// The service's counts in Prometheus' text format, version 0.0.4.
enum Metrics {
    /// - Parameter server: the counts of the server; nil where there is none.
    static func response(of service: ScreenService, _ server: HTTPServer.Metrics?) -> Response {
        let counts = service.metrics.current
        let usage = service.usage
        let history = service.history.counts
        let stored = service.history.holdings
        let database = service.storeCounts
        let ofServer = server?.current ?? HTTPServer.Metrics.Counts()
        let actions = service.actionCounts
        let receipts = service.receiptCounts
        let text = [
            metric("computations_total", "counter", "Models that were computed.", counts.computations),
            metric("failures_total", "counter", "Computations that failed.", counts.failures),
            metric("actions_total", "counter", "Actions that were performed.", counts.actions),
            metric("diffs_total", "counter", "Pairs of versions that were compared.", counts.diffs),
            metric("renamed_ids_total", "counter", "Repeated ids that got a number.", counts.renamedIDs),
            metric("stragglers", "gauge", "Computations and actions that go on past their deadline.", service.stragglerCount),
            metric("actions_in_progress", "gauge", "Actions that have not ended, also past their deadline.", actions.inProgress),
            metric("held_keys", "gauge", "Idempotency keys of actions in progress.", actions.keys),
            metric("refused_actions_total", "counter", "Actions not begun, as too many were in progress.", actions.refused),
            metric("receipts", "gauge", "Receipts of actions within 24 hours.", receipts.receipts),
            metric("receipt_bytes", "gauge", "Bytes that they take in the store, about.", receipts.bytes),
            metric("refused_receipts_total", "counter", "Actions not begun, as receipts took too many bytes.", receipts.refused),
            metric("cached_views", "gauge", "Views that are kept.", usage.views),
            metric("cached_view_bytes", "gauge", "Bytes that they take, about.", usage.viewBytes),
            metric("history_versions", "gauge", "Versions of history in memory.", usage.versions),
            metric("history_bytes", "gauge", "Bytes that they take, about.", usage.versionBytes),
            metric("history_unwritten", "gauge", "Records of them that the store does not have yet.", service.history.unwrittenCount),
            metric("history_stored_versions", "gauge", "Versions in the store, some time ago.", stored.versions),
            metric("history_stored_bytes", "gauge", "Bytes that they took, about.", stored.bytes),
            metric("history_lookups_total", "counter", "Times that the store was asked for versions.", history.lookups),
            metric("history_refused_lookups_total", "counter", "Versions not looked up, as too many were asked for.", history.refusedLookups),
            metric("history_damaged_total", "counter", "Records that were found damaged.", history.damaged),
            metric("history_dropped_total", "counter", "Records that were dropped before they were written.", history.dropped),
            metric("history_crowded_out_total", "counter", "Versions in use that a full store forgot.", history.crowdedOut),
            metric("followed_views", "gauge", "Views that clients wait for.", service.followedViewCount),
            metric("followed_view_bytes", "gauge", "Bytes of followed views, approximately.", service.followedViewBytes),
            metric("retried_writes_total", "counter", "Times that a write ran again after a conflict.", database.retries),
            metric("waiting_reads", "gauge", "Reads that wait for a connection to the database.", database.waitingReads, by: "screen", service.catalog.names),
            metric("body_bytes", "gauge", "Bytes of bodies that are being received or answered.", ofServer.bodyBytes),
            metric("refused_bodies_total", "counter", "Requests whose bodies had no room in memory.", ofServer.refusedBodies),
        ].joined()
        let headers: Headers = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"]
        return Response(headers: headers, body: Array(text.utf8))
    }

    private static func metric(_ name: String, _ type: String, _ help: String, _ value: Int) -> String {
        head(name, type, help) + "relist_\(name) \(value)\n"
    }

    /// A metric with one sample for each value of a label, for the known ones also where there is nothing to count.
    private static func metric(
        _ name: String, _ type: String, _ help: String, _ values: [String: Int], by label: String, _ known: [String]
    ) -> String {
        Set(known).union(values.keys).sorted().reduce(into: head(name, type, help)) { text, value in
            text += "relist_\(name){\(label)=\"\(value)\"} \(values[value] ?? 0)\n"
        }
    }

    private static func head(_ name: String, _ type: String, _ help: String) -> String {
        "# HELP relist_\(name) \(help)\n# TYPE relist_\(name) \(type)\n"
    }
}
