package dev.runyard.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.request.RetryPolicy;

/// What a client does, until it is answered.
sealed interface ClientStep {
  /// Seconds after the beginning.
  int at();

  String request();

  /// Submits until there is a run.
  record Submit(int at, String request, String session, RetryPolicy retry) implements ClientStep {}

  record Cancel(int at, String request) implements ClientStep {}

  record Decide(int at, String request, ActionDecision decision) implements ClientStep {}

  record Promote(int at, String request) implements ClientStep {}

  /// Says it to a run, or to the one that a task has.
  record Say(int at, String request, String content) implements ClientStep {}

  /// Submits, and leaves it at that whatever comes of it.
  record Try(int at, String request) implements ClientStep {
    Submit submit() {
      return new Submit(at, request, "", RetryPolicy.NEVER);
    }
  }

  /// Waits until the run has ended.
  record Ended(int at, String request) implements ClientStep {}

  record Create(int at, String request) implements ClientStep {}

  record Start(int at, String request) implements ClientStep {}

  record Pause(int at, String request) implements ClientStep {}

  record Resume(int at, String request) implements ClientStep {}

  /// Has another system deliver.
  ///
  /// @param number of the delivery, from 0
  record Deliver(int at, int number, boolean renamed) implements ClientStep {
    @Override
    public String request() {
      return "delivery-" + number;
    }
  }
}
