import HTTPServer
import ScreenService

/// The metrics of the service in the Prometheus text format, version 0.0.4.
enum Metrics {
    static func response(of service: ScreenService, _ encoder: ContentEncoder, _ server: HTTPServer.Metrics?) -> Response {
        let counts = service.metrics.current
        let usage = service.usage
        let history = service.history.counts
        let stored = service.history.holdings
        let database = service.storeCounts
        let ofServer = server?.current ?? HTTPServer.Metrics.Counts()
        let actions = service.actionCounts
        let receipts = service.receiptCounts
        let text = [
            metric("computations_total", "counter", "Computations of screens that have begun.", counts.computations),
            metric("failures_total", "counter", "Computations of screens that have failed or could not begin.", counts.failures),
            metric("actions_total", "counter", "Performed actions.", counts.actions),
            metric("diffs_total", "counter", "Comparisons of two versions.", counts.diffs),
            metric("renamed_ids_total", "counter", "Repeated ids that were made unique with a number.", counts.renamedIDs),
            metric("stragglers", "gauge", "Computations and actions that are still running after their deadline.", service.stragglerCount),
            metric("actions_in_progress", "gauge", "Actions in progress, including those after their deadline.", actions.inProgress),
            metric("held_keys", "gauge", "Idempotency keys of actions in progress.", actions.keys),
            metric("refused_actions_total", "counter", "Actions rejected because too many were in progress.", actions.refused),
            metric("receipts", "gauge", "Stored receipts of actions of the last 24 hours.", receipts.receipts),
            metric("receipt_bytes", "gauge", "Approximate size of the stored receipts in bytes.", receipts.bytes),
            metric("refused_receipts_total", "counter", "Actions rejected because stored receipts took too many bytes.", receipts.refused),
            metric("cached_views", "gauge", "Cached views.", usage.views),
            metric("cached_view_bytes", "gauge", "Approximate size of the cached views in bytes.", usage.viewBytes),
            metric("encoded_bytes", "gauge", "Approximate size of all compressed forms in bytes.", encoder.bytes),
            metric("history_versions", "gauge", "Versions of the history in memory.", usage.versions),
            metric("history_bytes", "gauge", "Approximate size of the history in memory in bytes.", usage.versionBytes),
            metric("history_unwritten", "gauge", "Records that are not yet written to the store.", service.history.unwrittenCount),
            metric("history_stored_versions", "gauge", "Versions in the store, when last counted.", stored.versions),
            metric(
                "history_stored_bytes", "gauge", "Approximate size of the versions in the store in bytes, when last counted.", stored.bytes),
            metric("history_lookups_total", "counter", "Lookups of versions in the store.", history.lookups),
            metric(
                "history_refused_lookups_total", "counter", "Versions that were not looked up because too many lookups were pending.",
                history.refusedLookups),
            metric("history_damaged_total", "counter", "Damaged records of versions.", history.damaged),
            metric("history_dropped_total", "counter", "Versions that were discarded before they were written.", history.dropped),
            metric(
                "history_crowded_out_total", "counter", "Versions in use that were evicted because the store was full.",
                history.removedEarly),
            metric("followed_views", "gauge", "Views that are followed by streams or waiting requests.", service.followedViewCount),
            metric("followed_view_bytes", "gauge", "Approximate size of the followed views in bytes.", service.followedViewBytes),
            metric("retried_writes_total", "counter", "Writes that were repeated after a conflict.", database.retries),
            metric(
                "waiting_reads", "gauge", "Reads that are waiting for a connection to the database.", database.waitingReads, by: "screen",
                service.catalog.names),
            metric("body_bytes", "gauge", "Size of the request bodies in memory in bytes.", ofServer.bodyBytes),
            metric("refused_bodies_total", "counter", "Requests rejected because bodies took too much memory.", ofServer.rejectedBodies),
        ].joined()
        let headers: Headers = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"]
        return Response(headers: headers, body: Array(text.utf8))
    }

    private static func metric(_ name: String, _ type: String, _ help: String, _ value: Int) -> String {
        head(name, type, help) + "relist_\(name) \(value)\n"
    }

    /// Returns a metric with one sample for each value of a label. If a known value has no count, its sample is 0.
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
