// What a team's screens, stores and layers are written with, so that they import nothing else.
@_exported public import HTTPServer
@_exported public import struct Logging.Logger
@_exported public import ScreenHTTP
@_exported public import ScreenModel
@_exported public import ScreenService
@_exported public import ScreenWire
@_exported public import RelistSQLite
