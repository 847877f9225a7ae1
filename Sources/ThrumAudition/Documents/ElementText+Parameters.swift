import ThrumPattern

extension ElementText {
  /// The item of a list of event parameters that counts for a parameter: the last.
  func parameterItem(_ id: EventParameterID, in list: [Step]) -> Int? {
    node(list)?.children.lastIndex { $0.value.text("ParameterID", in: bytes) == id.rawValue }
  }

  /// Removes parameters from an event, and the list with the last of them.
  /// - Parameter isKept: Whether a parameter of an id stays.
  mutating func keepParameters(in event: [Step], where isKept: (String) -> Bool) throws(EditRefusal) {
    let path = event + [.key("EventParameters")]
    guard let list = node(path) else { return }
    var kept = 0
    for position in list.children.indices.reversed() {
      let id = node(path + [.item(position)])?.text("ParameterID", in: bytes)
      if id.map(isKept) ?? true {
        kept += 1
      } else {
        try remove(at: position, of: path)
      }
    }
    if kept == 0 { try remove("EventParameters", of: event) }
  }

  /// Makes this the text of one event parameter or control point, whatever it was one of before.
  mutating func become(_ members: [(name: String, value: String)]) throws(EditRefusal) {
    try keep(members.map(\.name), of: [])
    var before: [String] = []
    for (name, value) in members {
      try set(name, of: [], to: value, after: before)
      before.append(name)
    }
  }
}

extension EditBase {
  /// Gives a parameter of an event a value, in the style of its neighbours where the event does not carry it.
  func setParameter(
    _ id: EventParameterID, to number: String, in text: inout ElementText, near element: Int
  ) throws(EditRefusal) {
    let event: [ElementText.Step] = [.key("Event")]
    let path = event + [.key("EventParameters")]
    let members = [("ParameterID", "\"\(id.rawValue)\""), ("ParameterValue", number)]
    if let list = text.node(path), list.shape == .list {
      if let item = text.parameterItem(id, in: path) {
        return try text.set("ParameterValue", of: path + [.item(item)], to: number, after: ["ParameterID"])
      }
      let model = text.childTexts(of: path).last ?? listOfParameters(near: element)?.item
      let item = try self.item(model, members, style: text.style)
      return try text.insert(item, into: path, at: list.children.count)
    }
    guard let holder = text.node(event) else { throw ElementText.notUnderstood }
    let indent = text.indent(at: holder.range.lowerBound) + text.style.indent
    var member = text.style.written(
      "EventParameters", .list([.line(members.map { ($0.0, .plain($0.1)) })]), indent: indent)
    if let model = listOfParameters(near: element) {
      // As an object of one member it can be changed like any other text.
      var single = try ElementText(
        [UInt8(ascii: "{")] + model.member + [UInt8(ascii: "}")], style: text.style)
      let item = try self.item(model.item, members, style: text.style)
      try single.replaceItems(of: [.key("EventParameters")], with: [item])
      member = Array(single.bytes.dropFirst().dropLast())
    }
    try text.insert(member, into: event, at: holder.children.count)
  }

  /// An item like another one, with other values.
  func item(
    _ model: [UInt8]?, _ members: [(String, String)], style: TextStyle
  ) throws(EditRefusal) -> [UInt8] {
    guard let model else {
      return style.written(.line(members.map { ($0.0, .plain($0.1)) }), indent: [])
    }
    var item = try ElementText(model, style: style)
    try item.become(members.map { (name: $0.0, value: $0.1) })
    return item.bytes
  }

  /// The nearest list of event parameters that has an item, with its key.
  private func listOfParameters(near element: Int) -> (member: [UInt8], item: [UInt8])? {
    let found = nearestEntry(to: element) { entry in
      guard case .event(let event) = entry else { return false }
      return !event.parameters.isEmpty
    }
    guard let found else { return nil }
    let bytes = text(ofElement: Int(map.places[found].element))
    guard let event = SyntaxNode(bytes)?["Event"], let position = event.member("EventParameters"),
      let item = event.children[position].value.children.last
    else { return nil }
    return (Array(bytes[event.children[position].range]), Array(bytes[item.range]))
  }
}
