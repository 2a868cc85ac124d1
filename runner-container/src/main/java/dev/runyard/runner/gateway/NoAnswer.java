package dev.runyard.runner.gateway;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/// Why a provider did not begin an answer, and what its agent is told of that.
enum NoAnswer {
  /// It took too long.
  LATE,
  /// There was no connection to it.
  UNREACHABLE,
  /// It closed the connection. So does the gateway: an answer with any status would be a server's
  /// that is there, and agents take that for another trouble.
  DROPPED;

  static NoAnswer of(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .flatMap(cause -> known(cause).stream())
        .findFirst()
        .orElse(DROPPED);
  }

  private static Optional<NoAnswer> known(Throwable cause) {
    return switch (cause) {
      case HttpTimeoutException _ -> Optional.of(LATE);
      case ConnectException _,
          UnknownHostException _,
          UnresolvedAddressException _,
          SSLException _,
          IllegalArgumentException _ ->
          Optional.of(UNREACHABLE);
      default -> Optional.empty();
    };
  }

  /// What the agent is answered; empty if its connection is closed instead.
  Optional<Refusal> refusal() {
    return switch (this) {
      case LATE ->
          Optional.of(new Refusal(504, "model_unavailable", "The model provider does not answer."));
      case UNREACHABLE ->
          Optional.of(new Refusal(502, "network", "The model provider cannot be reached."));
      case DROPPED -> Optional.empty();
    };
  }
}
