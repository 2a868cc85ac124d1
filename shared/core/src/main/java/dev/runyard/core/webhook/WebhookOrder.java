package dev.runyard.core.webhook;

import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.webhook.WebhookUrl.Places;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a client wants of a webhook; what is empty stays as it is.
public record WebhookOrder(
    Optional<String> url,
    Optional<List<String>> events,
    Optional<String> description,
    Optional<Boolean> enabled) {
  public static final int DESCRIPTION_BYTES_MAX = 256;
  public static final int OVERLAP_SECONDS_MAX = 7 * 24 * 3600;
  public static final int OVERLAP_SECONDS_DEFAULT = 24 * 3600;

  private static final String URL = "url";
  private static final String EVENTS = "events";
  private static final String DESCRIPTION = "description";
  private static final String ENABLED = "enabled";
  private static final String OVERLAP = "overlap_seconds";

  /// What a body turned out to be.
  public sealed interface Result<T> {
    record Accepted<T>(T order) implements Result<T> {}

    record Rejected<T>(Problem problem) implements Result<T> {}
  }

  /// Reads `{"url"?, "events", "description"?}`.
  public static Result<WebhookOrder> creation(byte[] body, Places places) {
    return read(
        body,
        Set.of(URL, EVENTS, DESCRIPTION),
        members -> {
          if (!members.has(EVENTS)) {
            members.refuse(EVENTS, "events is required");
          }
          return of(members, places);
        });
  }

  /// Reads `{"url"?, "events"?, "description"?, "enabled"?}`.
  public static Result<WebhookOrder> change(byte[] body, Places places) {
    return read(body, Set.of(URL, EVENTS, DESCRIPTION, ENABLED), members -> of(members, places));
  }

  /// Reads `{"overlap_seconds"?}`: how long the secret before counts beside a new one.
  public static Result<Duration> rotation(byte[] body) {
    return body.length == 0
        ? new Result.Accepted<>(Duration.ofSeconds(OVERLAP_SECONDS_DEFAULT))
        : read(
            body,
            Set.of(OVERLAP),
            members ->
                Duration.ofSeconds(
                    members.whole(OVERLAP, 0, OVERLAP_SECONDS_MAX, OVERLAP_SECONDS_DEFAULT)));
  }

  /// The names of events that a member lists; nothing is kept of one that lists others.
  public static List<String> events(JsonFields members, String member) {
    List<String> known = WebhookEvent.names();
    List<String> given = members.texts(member, known.size());
    if (given.isEmpty() && members.has(member)) {
      members.refuse(member, member + " must name at least one event");
    }
    for (int i = 0; i < given.size(); i++) {
      if (!known.contains(given.get(i))) {
        members.refuseItem(member, i, "An event is one of: %s".formatted(String.join(", ", known)));
      }
    }
    return List.copyOf(new LinkedHashSet<>(given));
  }

  private static WebhookOrder of(JsonFields members, Places places) {
    Optional<String> url = members.text(URL);
    if (url.isPresent() && WebhookUrl.of(url.get(), places).isEmpty()) {
      members.refuse(URL, WebhookUrl.rule(places));
    }
    Optional<String> description = members.text(DESCRIPTION);
    if (description.isPresent() && Bounds.bytes(description.get()) > DESCRIPTION_BYTES_MAX) {
      members.refuse(
          DESCRIPTION, "description must have at most %d bytes".formatted(DESCRIPTION_BYTES_MAX));
    }
    return new WebhookOrder(
        url,
        members.has(EVENTS) ? Optional.of(events(members, EVENTS)) : Optional.empty(),
        description,
        members.has(ENABLED) ? Optional.of(members.flag(ENABLED)) : Optional.empty());
  }

  private static <T> Result<T> read(byte[] body, Set<String> names, Reading<T> reading) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected<>(rejected.problem());
      case JsonBody.Result.Read read -> {
        JsonFields members = JsonFields.of(read.object(), names);
        T order = reading.of(members);
        yield members
            .problem()
            .<Result<T>>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted<>(order));
      }
    };
  }

  @FunctionalInterface
  private interface Reading<T> {
    T of(JsonFields members);
  }
}
