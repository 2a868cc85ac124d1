package dev.runyard.core.thread;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.stream.StreamCodec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The JSON form of a thread's events. A reader ignores members it does not know and keeps events
/// of types it does not know.
public final class ThreadCodec extends StreamCodec<StoredThreadEvent> {
  /// The codec of the streams of threads.
  public static final ThreadCodec THREADS = new ThreadCodec();

  private ThreadCodec() {}

  @Override
  protected void identify(StoredThreadEvent stored, JsonGenerator json) throws IOException {
    identifyStream(stored, json);
    String turnId = turnId(stored.event());
    if (turnId != null) {
      json.writeStringField("turnId", turnId);
    }
    Requester.write(stored.by(), json);
  }

  @Override
  protected void identifyStream(StoredThreadEvent member, JsonGenerator json) throws IOException {
    json.writeStringField("sessionId", member.sessionId());
    json.writeStringField("threadId", member.key().id());
  }

  private static @Nullable String turnId(ThreadEvent event) {
    return switch (event) {
      case ThreadEvent.QueueChanged changed -> changed.turnId();
      case ThreadEvent.RollbackStarted started -> started.turnId();
      case ThreadEvent.Based based -> based.base().turnId();
      case ThreadEvent.ThreadStarted _, ThreadEvent.Other _ -> null;
    };
  }

  @Override
  protected Object payload(StoredThreadEvent stored) {
    return switch (stored.event()) {
      case ThreadEvent.Other other -> other.payload();
      case ThreadEvent.ThreadStarted _ -> JsonFormat.JSON.createObjectNode();
      case ThreadEvent.QueueChanged changed -> changed;
      case ThreadEvent.RollbackStarted started -> started;
      case ThreadEvent.Based based -> based.base();
    };
  }

  private static ThreadOrigin base(JsonNode payload) throws IOException {
    return JsonFormat.JSON.treeToValue(payload, ThreadOrigin.class);
  }

  @Override
  protected StoredThreadEvent read(StreamKey key, JsonNode envelope) throws IOException {
    String type = envelope.required("type").textValue();
    JsonNode payload = envelope.path("payload");
    ThreadEvent event =
        switch (type) {
          case ThreadEvent.STARTED -> new ThreadEvent.ThreadStarted();
          case ThreadEvent.QUEUE_CHANGED ->
              JsonFormat.JSON.treeToValue(payload, ThreadEvent.QueueChanged.class);
          case ThreadEvent.ROLLBACK_STARTED ->
              JsonFormat.JSON.treeToValue(payload, ThreadEvent.RollbackStarted.class);
          case ThreadEvent.ROLLBACK_COMPLETED -> new ThreadEvent.RollbackCompleted(base(payload));
          case ThreadEvent.RECONSTRUCTED -> new ThreadEvent.Reconstructed(base(payload));
          case String other -> new ThreadEvent.Other(other, payload);
        };
    return new StoredThreadEvent(
        new ThreadKey(key.tenant(), key.id()),
        envelope.required("sessionId").textValue(),
        envelope.required("sequence").longValue(),
        JsonFormat.time(envelope.required("timestamp").textValue()),
        event,
        Requester.read(envelope));
  }
}
