// With these exports, an app needs only one import. Some types of `ScreenModel` are not exported, because SwiftUI has types with the same
// names.
@_exported public import ScreenDiff
@_exported public import ScreenWire

@_exported public import class ScreenModel.FeedbackLoop
@_exported public import enum ScreenModel.JSONValue
@_exported public import struct ScreenModel.LiveDate
@_exported public import struct ScreenModel.LoopProperty
@_exported public import struct ScreenModel.OfferedAction
@_exported public import struct ScreenModel.OrderedFields
@_exported public import struct ScreenModel.ScreenAction
@_exported public import struct ScreenModel.ScreenLink
@_exported public import struct ScreenModel.Size
