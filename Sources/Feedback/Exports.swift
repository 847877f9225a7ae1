// A program for a phone gets these two with its user interface.
@_exported public import Foundation
@_exported public import Observation
