package dev.runyard.core.webhook;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Sends one request to a webhook. Whatever the receiver does, there is an answer in bounded time.
@FunctionalInterface
public interface WebhookSender {
  Answer send(Outgoing request);

  /// A request.
  ///
  /// @param headers besides those of every request
  /// @param body sent in UTF-8
  record Outgoing(String url, Map<String, String> headers, String body) {
    public Outgoing {
      headers = Map.copyOf(headers);
    }
  }

  /// What came of it.
  sealed interface Answer {
    /// The receiver's status.
    ///
    /// @param retryAfter how long the receiver wants to be left alone
    record Status(int code, Optional<Duration> retryAfter) implements Answer {}

    record None(Trouble trouble) implements Answer {}
  }

  /// Why there was no answer.
  enum Trouble {
    ADDRESS_REFUSED("address_refused"),
    NAME_UNKNOWN("name_unknown"),
    NOT_CONNECTED("not_connected"),
    NOT_TRUSTED("not_trusted"),
    TIMED_OUT("timed_out"),
    BROKEN_ANSWER("broken_answer"),
    /// The bus said that it did not keep what it was told.
    NOT_KEPT("not_kept");

    private final String wire;

    Trouble(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }
}
