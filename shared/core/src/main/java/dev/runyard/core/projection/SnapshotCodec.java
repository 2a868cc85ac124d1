package dev.runyard.core.projection;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The JSON form of a snapshot. The prompt, the environment and the extension values stay in the
/// log: a snapshot is written often, and its readers do not need them.
public final class SnapshotCodec {
  private static final ObjectMapper JSON =
      JsonFormat.JSON
          .copy()
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .registerModule(times());

  /// Design bound of a stored snapshot, inside the 400 KB of an item.
  public static final int SNAPSHOT_BYTES_MAX = 360 * 1024;

  /// Size to which each of a run's two texts is cut if the snapshot would be too large; the text
  /// then says that it was cut.
  static final int TEXT_BYTES_CUT = 16 * 1024;

  private SnapshotCodec() {}

  /// The stored form ([SnapshotBody]), within [#SNAPSHOT_BYTES_MAX].
  public static byte[] pack(RunState.Existing run) {
    byte[] whole = SnapshotBody.encode(encode(run));
    return whole.length <= SNAPSHOT_BYTES_MAX ? whole : SnapshotBody.encode(cut(run));
  }

  /// The run a stored form is of.
  ///
  /// @throws IllegalArgumentException when the bytes are not a stored snapshot
  public static RunState.Existing unpack(byte[] stored) {
    return decode(SnapshotBody.decode(stored));
  }

  private static String cut(RunState.Existing run) {
    ObjectNode form = JSON.valueToTree(form(run));
    ObjectNode facts = (ObjectNode) form.path("facts");
    for (String text : List.of("message", "lastMessage")) {
      facts.put(text, Bounds.truncate(facts.path(text).asText(), TEXT_BYTES_CUT));
    }
    return form.toString();
  }

  public static String encode(RunState.Existing run) {
    try {
      return JSON.writeValueAsString(form(run));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The form for a list: only the first [ReadModels#LIST_TEXT_BYTES_MAX] bytes of the agent's
  /// text, and nothing that no list shows.
  public static String brief(RunState.Existing run) {
    try {
      RunFacts facts = run.facts().brief(ReadModels.LIST_TEXT_BYTES_MAX);
      return JSON.writeValueAsString(form(run).with(facts));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static RunState.Existing decode(String text) {
    try {
      return state(JSON.readValue(text, Form.class));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Form form(RunState.Existing state) {
    Form form = new Form(name(state), state.facts().slim());
    return switch (state) {
      case RunState.Created run -> form.with(run.waiting());
      case RunState.Retrying run -> form.with(run.waiting()).with(run.last());
      case RunState.Paused run -> form.with(run.last());
      case RunState.InProgress run -> form.with(run.attempt());
      case RunState.CancellingIdle run -> form.with(run.reason(), run.since());
      case RunState.Cancelling run -> form.with(run.reason(), run.since()).with(run.attempt());
      case RunState.Completed run -> form.ended(null, null, run.finishedAt()).with(run.attempt());
      case RunState.Failed run ->
          form.ended(run.error(), run.phase(), run.finishedAt()).with(run.attempt().orElse(null));
      case RunState.Cancelled run ->
          form.with(run.reason(), run.finishedAt()).with(run.attempt().orElse(null));
    };
  }

  private static String name(RunState.Existing state) {
    return switch (state) {
      case RunState.Created _ -> "created";
      case RunState.Retrying _ -> "retrying";
      case RunState.InProgress run -> run.awaiting() ? "awaiting" : "in-progress";
      case RunState.Paused _ -> "parked";
      case RunState.CancellingIdle _ -> "cancelling-idle";
      case RunState.Cancelling _ -> "cancelling";
      case RunState.Completed _ -> "completed";
      case RunState.Failed _ -> "failed";
      case RunState.Cancelled _ -> "cancelled";
    };
  }

  private static RunState.Existing state(Form f) {
    return switch (f.state) {
      case "created" -> new RunState.Created(f.facts, need(f.waiting));
      case "retrying" -> new RunState.Retrying(f.facts, need(f.attempt), need(f.waiting));
      case "in-progress", "awaiting" -> new RunState.InProgress(f.facts, need(f.attempt));
      case "parked" -> new RunState.Paused(f.facts, need(f.attempt));
      case "cancelling-idle" -> new RunState.CancellingIdle(f.facts, need(f.reason), need(f.since));
      case "cancelling" ->
          new RunState.Cancelling(f.facts, need(f.attempt), need(f.reason), need(f.since));
      case "completed" -> new RunState.Completed(f.facts, need(f.attempt), need(f.since));
      case "failed" ->
          new RunState.Failed(
              f.facts, Optional.ofNullable(f.attempt), need(f.error), need(f.phase), need(f.since));
      case "cancelled" ->
          new RunState.Cancelled(
              f.facts, Optional.ofNullable(f.attempt), need(f.reason), need(f.since));
      case String other -> throw new IllegalArgumentException("unknown snapshot state " + other);
    };
  }

  private static <T> T need(@Nullable T value) {
    return Objects.requireNonNull(value, "a snapshot lacks a member its state needs");
  }

  /// Members other than `state` and `facts` are set if the state has them.
  record Form(
      String state,
      RunFacts facts,
      @Nullable Attempt attempt,
      RunState.@Nullable Waiting waiting,
      @Nullable String reason,
      @Nullable Instant since,
      @Nullable Failure error,
      @Nullable String phase) {
    Form(String state, RunFacts facts) {
      this(state, facts, null, null, null, null, null, null);
    }

    Form with(RunFacts other) {
      return new Form(state, other, attempt, waiting, reason, since, error, phase);
    }

    Form with(@Nullable Attempt a) {
      return new Form(state, facts, a, waiting, reason, since, error, phase);
    }

    Form with(RunState.Waiting w) {
      return new Form(state, facts, attempt, w, reason, since, error, phase);
    }

    Form with(String why, Instant when) {
      return new Form(state, facts, attempt, waiting, why, when, error, phase);
    }

    Form ended(@Nullable Failure why, @Nullable String finer, Instant when) {
      return new Form(state, facts, attempt, waiting, reason, when, why, finer);
    }
  }

  private static SimpleModule times() {
    return new SimpleModule()
        .addSerializer(new Written<>(Instant.class, JsonFormat::time))
        .addDeserializer(Instant.class, new Parsed<>(Instant.class, Instant::parse))
        .addSerializer(new Written<>(Text.class, Text::value))
        .addDeserializer(Text.class, new Parsed<>(Text.class, Text::restored));
  }

  private static final class Written<T> extends StdSerializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<T, String> form;

    Written(Class<T> type, Function<T, String> form) {
      super(type);
      this.form = form;
    }

    @Override
    public void serialize(T value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(form.apply(value));
    }
  }

  private static final class Parsed<T> extends StdDeserializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<String, T> form;

    Parsed(Class<T> type, Function<String, T> form) {
      super(type);
      this.form = form;
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return form.apply(json.getText());
    }
  }
}
