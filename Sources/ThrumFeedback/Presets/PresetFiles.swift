// Made from patterns/feedback by its embed.py; a test compares the two.

/// The presets' pattern files, as in patterns/feedback but for their descriptions.
enum PresetFiles {
  /// The texts by the names of the presets.
  static let texts: [String: StaticString] = [
    "alignment":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.28}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.3}]}}, {"Event": {"Time": 0.03, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.95}]}}]}
    """#,
    "decrease":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.55}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.7}]}}, {"Event": {"Time": 0.07, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.42},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.3}]}}]}
    """#,
    "error":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.9}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.7}]}}, {"Event": {"Time": 0.1, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.9},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.7}]}}, {"Event": {"Time": 0.2, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1.0},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}]}
    """#,
    "generic":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticContinuous",
    "EventDuration": 0.03, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue":
    0.65}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.6}]}}]}
    """#,
    "impact-heavy":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1.0}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.25}]}}]}
    """#,
    "impact-light":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.45}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.5}]}}]}
    """#,
    "impact-medium":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.42}]}}]}
    """#,
    "impact-rigid":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 1.0}]}}]}
    """#,
    "impact-soft":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.0}]}}]}
    """#,
    "impact-solid":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.9}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.62}]}}]}
    """#,
    "increase":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.42}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.3}]}}, {"Event": {"Time": 0.07, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.55},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.7}]}}]}
    """#,
    "level-change":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.3}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.15}]}}, {"Event": {"Time": 0.045, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.62},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.4}]}}]}
    """#,
    "navigation-generic-maneuver":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticContinuous",
    "EventDuration": 0.2, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}, {"ParameterID": "AttackTime",
    "ParameterValue": 0.05}, {"ParameterID": "ReleaseTime", "ParameterValue": 0.05}]}}, {"Event":
    {"Time": 0.34, "EventType": "HapticTransient", "EventParameters": [{"ParameterID":
    "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID": "HapticSharpness", "ParameterValue":
    0.5}]}}, {"Event": {"Time": 0.46, "EventType": "HapticTransient", "EventParameters":
    [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID": "HapticSharpness",
    "ParameterValue": 0.5}]}}]}
    """#,
    "navigation-left-turn":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.08, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.24, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.32, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.48, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.56, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}]}
    """#,
    "navigation-link-tap":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.18}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.6}]}}]}
    """#,
    "navigation-right-turn":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.1, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.2, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.3, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.4, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.5, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.6, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.7, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}]}
    """#,
    "notification":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.55}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.12, "EventType":
    "HapticContinuous", "EventDuration": 0.16, "EventParameters": [{"ParameterID": "HapticIntensity",
    "ParameterValue": 0.5}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.45}, {"ParameterID":
    "AttackTime", "ParameterValue": 0.02}, {"ParameterID": "ReleaseTime", "ParameterValue": 0.15}]}}]}
    """#,
    "path-complete":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.3}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.4}]}}, {"Event": {"Time": 0.05, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.42},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.6}]}}, {"Event": {"Time": 0.1, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.62},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.85}]}}]}
    """#,
    "press-button-icon-only":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.38}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 1.0}]}}]}
    """#,
    "press-button":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.52}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.82}]}}]}
    """#,
    "press-slider":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticContinuous",
    "EventDuration": 0.03, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue":
    0.3}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.1}, {"ParameterID": "ReleaseTime",
    "ParameterValue": 0.1}]}}, {"Event": {"Time": 0.035, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.38}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.15}]}}]}
    """#,
    "press-tab":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.42}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.18}]}}]}
    """#,
    "press-toggle":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.35}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.1}]}}, {"Event": {"Time": 0.02, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7},
    {"ParameterID": "HapticSharpness", "ParameterValue": 1.0}]}}]}
    """#,
    "release-slider":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.38}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.4}]}}, {"Event": {"Time": 0.02, "EventType":
    "HapticContinuous", "EventDuration": 0.03, "EventParameters": [{"ParameterID": "HapticIntensity",
    "ParameterValue": 0.28}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.7}, {"ParameterID":
    "ReleaseTime", "ParameterValue": 0.1}]}}]}
    """#,
    "selection-maximum":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.62}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.92}]}}, {"Event": {"Time": 0.08, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.35},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.92}]}}]}
    """#,
    "selection-minimum":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.62}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.08}]}}, {"Event": {"Time": 0.08, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.35},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.08}]}}]}
    """#,
    "selection-off":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.9}]}}, {"Event": {"Time": 0.04, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.32},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.4}]}}]}
    """#,
    "selection-on":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.32}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.5}]}}, {"Event": {"Time": 0.04, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.9}]}}]}
    """#,
    "selection":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.32}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.75}]}}]}
    """#,
    "start":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticContinuous",
    "EventDuration": 0.08, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue":
    0.45}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.3}, {"ParameterID": "AttackTime",
    "ParameterValue": 0.08}]}}, {"Event": {"Time": 0.09, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.65}]}}]}
    """#,
    "stop":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.65}]}}, {"Event": {"Time": 0.03, "EventType":
    "HapticContinuous", "EventDuration": 0.06, "EventParameters": [{"ParameterID": "HapticIntensity",
    "ParameterValue": 0.45}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.2}, {"ParameterID":
    "ReleaseTime", "ParameterValue": 0.1}]}}]}
    """#,
    "success":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.4}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.45}]}}, {"Event": {"Time": 0.12, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.55},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.6}]}}]}
    """#,
    "underwater-depth-critical-prompt":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1.0}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.6}]}}, {"Event": {"Time": 0.12, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1.0},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.6}]}}, {"Event": {"Time": 0.24, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1.0},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.6}]}}, {"Event": {"Time": 0.4, "EventType":
    "HapticContinuous", "EventDuration": 0.5, "EventParameters": [{"ParameterID": "HapticIntensity",
    "ParameterValue": 1.0}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.7}]}}]}
    """#,
    "underwater-depth-prompt":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticContinuous",
    "EventDuration": 0.3, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.8},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.2}, {"ParameterID": "AttackTime",
    "ParameterValue": 0.1}, {"ParameterID": "ReleaseTime", "ParameterValue": 0.1}]}}, {"Event": {"Time":
    0.5, "EventType": "HapticContinuous", "EventDuration": 0.3, "EventParameters": [{"ParameterID":
    "HapticIntensity", "ParameterValue": 0.8}, {"ParameterID": "HapticSharpness", "ParameterValue":
    0.2}, {"ParameterID": "AttackTime", "ParameterValue": 0.1}, {"ParameterID": "ReleaseTime",
    "ParameterValue": 0.1}]}}]}
    """#,
    "warning":
      #"""
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0.0, "EventType": "HapticTransient",
    "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, {"ParameterID":
    "HapticSharpness", "ParameterValue": 0.4}]}}, {"Event": {"Time": 0.14, "EventType":
    "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.75},
    {"ParameterID": "HapticSharpness", "ParameterValue": 0.4}]}}]}
    """#,
  ]
}
