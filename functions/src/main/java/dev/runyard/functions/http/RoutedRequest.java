package dev.runyard.functions.http;

import dev.runyard.core.ids.RunKey;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request whose route is known, whatever brought it.
public interface RoutedRequest {
  Caller caller();

  /// The values of the path's parameters, by name.
  Map<String, String> names();

  @Nullable String header(String name);

  /// The value of a parameter of the path, which its route has.
  default String named(String parameter) {
    return Objects.requireNonNull(names().get(parameter));
  }

  /// The caller's run that `{id}` of the path may name; empty where it is no id of a run.
  default Optional<RunKey> run() {
    return Optional.of(named("id"))
        .filter(RunKey::isRunId)
        .map(id -> new RunKey(caller().tenant(), id));
  }
}
