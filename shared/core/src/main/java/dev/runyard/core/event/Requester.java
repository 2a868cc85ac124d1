package dev.runyard.core.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Who asked for what an event tells, and with which request.
///
/// @param actor as the API knew them
/// @param requestId of the request, as its answer and the API's log name it; null where it is not
///   known, or where something follows in their name without one
public record Requester(String actor, @Nullable String requestId) {
  private static final String ACTOR = "actor";
  private static final String REQUEST = "requestId";

  public Requester {
    Objects.requireNonNull(actor);
  }

  /// The members of an event's envelope for it; none where nobody asked.
  public static void write(@Nullable Requester by, JsonGenerator json) throws IOException {
    if (by != null) {
      json.writeStringField(ACTOR, by.actor());
      if (by.requestId() != null) {
        json.writeStringField(REQUEST, by.requestId());
      }
    }
  }

  /// What an envelope says of it.
  public static @Nullable Requester read(JsonNode envelope) {
    String actor = envelope.path(ACTOR).textValue();
    return actor == null ? null : new Requester(actor, envelope.path(REQUEST).textValue());
  }

  /// The name of whoever asked; null where nobody did.
  public static @Nullable String nameOf(@Nullable Requester by) {
    return by == null ? null : by.actor();
  }

  /// Whoever asked without a request that is known.
  public static Requester of(String actor) {
    return new Requester(actor, null);
  }
}
