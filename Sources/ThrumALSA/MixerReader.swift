import CALSA

// Asking libasound's simple mixer.
extension Mixer {
  /// Reads a mixer; without controls where there is none of that name.
  /// - Parameter name: A control device, such as `hw:CARD=PCH`, or `pipewire`.
  ///
  /// Threads: control. Real-time: no, may ask a sound server.
  public static func read(name: String) -> Mixer {
    var mixer = Mixer(name: name, controls: [])
    do throws(OutputFault) {
      try ALSADiagnostics.apply()
    } catch {
      return mixer
    }
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) >= 0, let opened else { return mixer }
    // Closing detaches the card as well; there is nothing to do about what it says.
    defer { snd_mixer_close(opened) }
    guard snd_mixer_attach(opened, name) >= 0, snd_mixer_selem_register(opened, nil, nil) >= 0,
      snd_mixer_load(opened) >= 0
    else { return mixer }
    var element = snd_mixer_first_elem(opened)
    while let current = element {
      if let control = MixerControl(reading: current) { mixer.controls.append(control) }
      element = snd_mixer_elem_next(current)
    }
    return mixer
  }

  /// Reads the mixer of the card that a PCM plays on, or that the sound server behind it has under the same name.
  /// - Parameter device: The PCM's name; it is opened for a moment.
  ///
  /// Threads: control. Real-time: no.
  public static func read(device: String) -> Mixer? {
    do throws(OutputFault) {
      let pcm = try PCM(name: device)
      defer { pcm.close() }
      return read(name: pcm.mixerName)
    } catch {
      // Whoever plays on it is told why it does not open; a mixer is not worth a second message.
      return nil
    }
  }
}

extension MixerControl {
  /// Reads one; nil for a control that does nothing to what is played.
  init?(reading element: OpaquePointer) {
    let hasVolume = snd_mixer_selem_has_playback_volume(element) != 0
    let hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
    guard hasVolume || hasSwitch, let text = snd_mixer_selem_get_name(element) else { return nil }
    self.init(name: String(cString: text), index: Int(snd_mixer_selem_get_index(element)))
    let channels = (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
    if hasSwitch {
      let states = channels.compactMap { channel -> Bool? in
        var state: Int32 = 0
        return snd_mixer_selem_get_playback_switch(element, channel, &state) < 0 ? nil : state != 0
      }
      if !states.isEmpty { isOn = states.contains(true) }
    }
    var (low, high) = (0, 0)
    guard hasVolume, snd_mixer_selem_get_playback_volume_range(element, &low, &high) >= 0, high > low
    else { return }
    let values = channels.compactMap { channel -> (value: Int, channel: snd_mixer_selem_channel_id_t)? in
      var value = 0
      return snd_mixer_selem_get_playback_volume(element, channel, &value) < 0 ? nil : (value, channel)
    }
    guard let lowest = values.min(by: { $0.value < $1.value }) else { return }
    volume = min(1, max(0, Double(lowest.value - low) / Double(high - low)))
    // Hundredths of a dB.
    var hundredths = 0
    if snd_mixer_selem_get_playback_dB(element, lowest.channel, &hundredths) >= 0 {
      level = Double(hundredths) / 100
    }
  }
}
