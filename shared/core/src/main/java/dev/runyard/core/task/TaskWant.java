package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What a request wants to be so of a task, where others may change that again.
public sealed interface TaskWant {
  record Paused() implements TaskWant {}

  record Resumed() implements TaskWant {}

  record Failed() implements TaskWant {}

  record Progress(TaskProgress progress) implements TaskWant {}

  /// An edge.
  ///
  /// @param there whether it is to be there
  record Edge(EdgeKind kind, String to, boolean there) implements TaskWant {}

  /// Other terms.
  ///
  /// @param body what an update takes
  record Terms(ObjectNode body) implements TaskWant {}
}
