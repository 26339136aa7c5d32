@_exported public import HTTPServer
@_exported public import RelistSQLite
@_exported public import ScreenHTTP
@_exported public import ScreenModel
@_exported public import ScreenService
@_exported public import ScreenWire

// The modules that a team's screens, stores and middleware need. They are exported, so that a team imports only `Relist`.
@_exported public import class CoreMetrics.Counter
@_exported public import class CoreMetrics.Gauge
@_exported public import protocol CoreMetrics.MetricsFactory
@_exported public import struct Logging.Logger
