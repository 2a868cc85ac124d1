package dev.runyard.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RunRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What clients asked for and were promised, and where a promise was broken at once.
final class Promises {
  /// What was asked for under each key.
  final Map<String, RunRequest> requests = new HashMap<>();

  /// The run each key was answered with.
  final Map<String, String> answered = new HashMap<>();

  /// The newest sequence of each run that a client knows of.
  final Map<RunKey, Long> acknowledged = new HashMap<>();

  /// Runs whose cancel was accepted.
  final Set<RunKey> cancelled = new HashSet<>();

  /// Runs whose cancel was asked for, whatever the answer.
  final Set<RunKey> cancelWanted = new HashSet<>();

  /// Decisions that were acknowledged, by action.
  final Map<String, ActionDecision> decisions = new HashMap<>();

  /// Accepted messages: the sequence each was promised, by key.
  final Map<String, Long> messages = new HashMap<>();

  final List<Violation> violations = new ArrayList<>();

  /// The runs that were behind each run once it was promoted.
  final Map<String, List<String>> behind = new HashMap<>();

  /// How many items of each job are to run at once.
  final Map<String, Integer> concurrency = new HashMap<>();
}
