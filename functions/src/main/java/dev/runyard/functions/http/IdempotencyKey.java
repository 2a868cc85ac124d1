package dev.runyard.functions.http;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.submit.IdempotencyHeader;
import java.util.Optional;
import java.util.function.Function;

/// The header that makes a request safe to send again.
public final class IdempotencyKey {
  private static final String HEADER = "Idempotency-Key";

  private IdempotencyKey() {}

  /// Handles the request with its key, if it has one.
  ///
  /// @param refuse makes the result for an invalid header
  public static <R> R with(
      RoutedRequest request, Function<Optional<String>, R> does, Function<Problem, R> refuse) {
    String header = request.header(HEADER);
    return header == null
        ? does.apply(Optional.empty())
        : switch (IdempotencyHeader.read(header)) {
          case IdempotencyHeader.Result.Rejected rejected -> refuse.apply(rejected.problem());
          case IdempotencyHeader.Result.Read read -> does.apply(Optional.of(read.key()));
        };
  }
}
