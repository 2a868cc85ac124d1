package dev.runyard.functions.http;

import dev.runyard.core.ids.RunKey;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request whose route is known, independent of the server that received it.
public interface RoutedRequest {
  Caller caller();

  /// The values of the path's parameters, by name.
  Map<String, String> names();

  @Nullable String header(String name);

  /// The value of a parameter of the path, which its route must have.
  default String named(String parameter) {
    return Objects.requireNonNull(names().get(parameter));
  }

  /// The caller's run that `{id}` of the path names; empty if that is not a run id.
  default Optional<RunKey> run() {
    return Optional.of(named("id"))
        .filter(RunKey::isRunId)
        .map(id -> new RunKey(caller().tenant(), id));
  }
}
