package dev.runyard.core.ids;

import java.util.Objects;

/// The tasks above that of a run, when it began.
///
/// @param parent the task that it is a run of
/// @param root the one above all of these
public record TaskIds(String parent, String root) {
  public TaskIds {
    Objects.requireNonNull(parent);
    Objects.requireNonNull(root);
  }
}
