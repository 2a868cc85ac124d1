package dev.runyard.agent.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.view.HubView;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The events that a Java agent causes, as they are on the channel: its output, and the messages it
/// sends to itself. There is no form for any other event, and none for what such an event cannot
/// have.
///
/// It is written by hand, member by member, because a process that lives for one run would spend
/// most of its start finding out by reflection what the events' members are.
final class EventJson {
  private static final String TYPE = "type";
  private static final String TEXT = "text";
  private static final String PART = "part";
  private static final String HEAD = "head";
  private static final String ID = "id";
  private static final String NAME = "name";
  private static final String KIND = "kind";
  private static final String BYTES = "bytes";
  private static final String BYTES_MAX = "bytes_max";
  private static final String CODE = "code";
  private static final String FROM = "from";
  private static final String PAYLOAD = "payload";

  private static final String SAID = "said";
  private static final String COMPLETED = "completed";
  private static final String THOUGHT = "thought";
  private static final String TOOL = "tool_";
  private static final String TOOL_STARTED = TOOL + "started";
  private static final String TOOL_RESULT = TOOL + "result";
  private static final String TOOL_FAILED = TOOL + "failed";
  private static final String WARNED = "warned";
  private static final String CUT = "cut";
  private static final String KEPT = "kept";
  private static final String SENT = "sent";

  /// More than what [HubView#kept] leaves of an event, with its scope.
  private static final int KEPT_CHARS_MAX = 2 * Bounds.DATA_BYTES_MAX;

  private EventJson() {}

  /// @throws IllegalArgumentException for an event that no Java agent causes
  static ObjectNode write(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta -> {
        ObjectNode json = of(SAID).put(TEXT, delta.text());
        OutputPart part = delta.part();
        yield part == null ? json : json.set(PART, Channel.Records.write(part));
      }
      case RunEvent.ModelCompleted(var head) ->
          head == null ? of(COMPLETED) : of(COMPLETED).set(HEAD, Channel.Records.write(head));
      case RunEvent.ReasoningDelta(String text) -> of(THOUGHT).put(TEXT, text);
      case RunEvent.ToolStarted tool ->
          tool(TOOL_STARTED, tool.toolCallId(), tool.name(), tool.kind()).put(TEXT, tool.input());
      case RunEvent.ToolResult end ->
          tool(TOOL_RESULT, end.toolCallId(), end.name(), end.kind())
              .put(TEXT, end.preview())
              .put(BYTES, end.outputBytes());
      case RunEvent.ToolFailed end ->
          tool(TOOL_FAILED, end.toolCallId(), end.name(), end.kind())
              .put(TEXT, end.preview())
              .put(BYTES, end.outputBytes());
      case RunEvent.RuntimeWarning(String code, String message) ->
          of(WARNED).put(CODE, code).put(TEXT, message);
      case RunEvent.OutputTruncated(String what, long bytes, long bytesMax) ->
          of(CUT).put(NAME, what).put(BYTES, bytes).put(BYTES_MAX, bytesMax);
      case RunEvent.Other(String type, JsonNode payload) when type.equals(HubView.KEPT) ->
          of(KEPT).set(PAYLOAD, payload);
      case RunEvent.ChannelMessage(String id, String content, var from) ->
          of(SENT).put(ID, id).put(TEXT, content).put(FROM, from);
      case RunEvent.SessionUpdated _,
          RunEvent.OutputRedacted _,
          RunEvent.ToolProgress _,
          RunEvent.ArtifactChanged _,
          RunEvent.TaskProgress _,
          RunEvent.CostRecorded _,
          RunEvent.RuntimeError _,
          RunEvent.OutputSpilled _,
          RunEvent.Other _,
          RunEvent.Notice _,
          RunEvent.ProcessInput _,
          RunEvent.StateChange _ ->
          throw new IllegalArgumentException("no event of a Java agent");
    };
  }

  /// Reads an event; empty if no Java agent causes it.
  static Optional<RunEvent> read(JsonNode json) throws JsonProcessingException {
    String text = json.path(TEXT).textValue();
    return switch (json.path(TYPE).asText()) {
      case SAID -> said(text, json.get(PART));
      case COMPLETED ->
          Optional.of(
              new RunEvent.ModelCompleted(
                  json.has(HEAD) ? Channel.Records.read(json.get(HEAD), OutputHead.class) : null));
      case THOUGHT -> Optional.ofNullable(text).map(RunEvent.ReasoningDelta::new);
      case String tool when tool.startsWith(TOOL) -> tool(tool, json, text);
      case WARNED -> both(json.path(CODE).textValue(), text, RunEvent.RuntimeWarning::new);
      case CUT ->
          Optional.ofNullable(json.path(NAME).textValue())
              .map(
                  what ->
                      new RunEvent.OutputTruncated(
                          what, json.path(BYTES).asLong(), json.path(BYTES_MAX).asLong()));
      case KEPT ->
          Optional.of(json.path(PAYLOAD))
              .filter(kept -> kept.isObject() && kept.toString().length() <= KEPT_CHARS_MAX)
              .map(kept -> new RunEvent.Other(HubView.KEPT, kept));
      case SENT ->
          both(
                  json.path(ID).textValue(),
                  text,
                  (id, content) ->
                      new RunEvent.ChannelMessage(id, content, json.path(FROM).textValue()))
              .filter(
                  _ -> Bounds.bytes(json.path(TEXT).asText()) <= Limits.MESSAGE_CONTENT_BYTES_MAX);
      case String _ -> Optional.empty();
    };
  }

  private static Optional<RunEvent> said(@Nullable String text, @Nullable JsonNode part)
      throws JsonProcessingException {
    if (text == null) {
      return Optional.empty();
    }
    if (part == null) {
      return Optional.of(new RunEvent.ModelDelta(text));
    }
    return Bounds.bytes(text) > Limits.TEXT_BYTES_MAX
        ? Optional.empty()
        : Optional.of(new RunEvent.ModelDelta(text, Channel.Records.read(part, OutputPart.class)));
  }

  private static Optional<RunEvent> tool(String type, JsonNode json, @Nullable String text) {
    String id = json.path(ID).textValue();
    String name = json.path(NAME).textValue();
    String kind = json.path(KIND).textValue();
    long bytes = json.path(BYTES).asLong();
    return id == null || name == null || kind == null
        ? Optional.empty()
        : switch (type) {
          case TOOL_STARTED -> Optional.of(new RunEvent.ToolStarted(id, name, kind, text));
          case TOOL_RESULT ->
              Optional.of(new RunEvent.ToolResult(id, name, kind, null, text, bytes));
          case TOOL_FAILED ->
              Optional.of(new RunEvent.ToolFailed(id, name, kind, null, text, bytes));
          case String _ -> Optional.empty();
        };
  }

  private static Optional<RunEvent> both(
      @Nullable String one, @Nullable String two, BiFunction<String, String, RunEvent> event) {
    return one == null || two == null ? Optional.empty() : Optional.of(event.apply(one, two));
  }

  private static ObjectNode of(String type) {
    return JsonFormat.JSON.createObjectNode().put(TYPE, type);
  }

  private static ObjectNode tool(String type, String id, String name, String kind) {
    return of(type).put(ID, id).put(NAME, name).put(KIND, kind);
  }
}
