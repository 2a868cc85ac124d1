package dev.runyard.bench.temporal;

import io.temporal.activity.ActivityInterface;

/// The steps of the workflow: activities, whose results are recorded.
@ActivityInterface
public interface Steps {
  String first(String text);

  String second(String text);

  /// They do next to nothing.
  final class Quick implements Steps {
    @Override
    public String first(String text) {
      return text + " one";
    }

    @Override
    public String second(String text) {
      return text + " two";
    }
  }
}
