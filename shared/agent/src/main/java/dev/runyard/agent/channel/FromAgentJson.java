package dev.runyard.agent.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.view.HubView;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The JSON form of what an agent's process writes. A reader takes nothing that a Java agent cannot
/// cause: agents are code of others, which can write to the channel what it likes.
public final class FromAgentJson {
  private static final String STARTED = "started";
  private static final String TOLD = "told";
  private static final String ASKED = "asked";
  private static final String TOOK = "took";
  private static final String REFUSED = "refused";
  private static final String HISTORY = "history";
  private static final String ENDED = "ended";

  private static final String TYPE = "type";
  private static final String PAYLOAD = "payload";
  private static final String FAILURE = "failure";

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  private FromAgentJson() {}

  /// A message without line end, of any length.
  public static String write(FromAgent message) {
    return switch (message) {
      case FromAgent.Started _ -> Channel.written(STARTED, NOTHING);
      case FromAgent.Told(RunEvent event) -> Channel.written(TOLD, told(event));
      case FromAgent.Asked(Question question) -> Channel.written(ASKED, question);
      case FromAgent.Took(long sequence) -> Channel.written(TOOK, sequence);
      case FromAgent.Refused(long sequence) -> Channel.written(REFUSED, sequence);
      case FromAgent.HistoryWanted _ -> Channel.written(HISTORY, NOTHING);
      case FromAgent.Ended(Optional<Failure> failure) ->
          Channel.written(
              ENDED,
              failure
                  .map(why -> Channel.JSON.createObjectNode().putPOJO(FAILURE, why))
                  .orElse(NOTHING));
    };
  }

  /// Reads a message; empty if it is none.
  static Optional<FromAgent> read(String message) {
    try {
      Optional<Channel.Member> member = Channel.Member.of(message);
      return member.isEmpty() ? Optional.empty() : read(member.get());
    } catch (JsonProcessingException | RuntimeException _) {
      return Optional.empty();
    }
  }

  private static Optional<FromAgent> read(Channel.Member member) throws JsonProcessingException {
    JsonNode content = member.content();
    return switch (member.kind()) {
      case STARTED -> Optional.of(new FromAgent.Started());
      case TOLD -> event(content).map(FromAgent.Told::new);
      case ASKED ->
          Optional.of(new FromAgent.Asked(Channel.JSON.treeToValue(content, Question.class)));
      case TOOK -> sequence(content).map(FromAgent.Took::new);
      case REFUSED -> sequence(content).map(FromAgent.Refused::new);
      case HISTORY -> Optional.of(new FromAgent.HistoryWanted());
      case ENDED -> ended(content);
      case String _ -> Optional.empty();
    };
  }

  private static ObjectNode told(RunEvent event) {
    return Channel.JSON
        .createObjectNode()
        .put(TYPE, EventTypes.nameOf(event))
        .putPOJO(PAYLOAD, event instanceof RunEvent.Other other ? other.payload() : event);
  }

  private static Optional<RunEvent> event(JsonNode content) throws JsonProcessingException {
    String type = content.path(TYPE).asText();
    JsonNode payload = content.path(PAYLOAD);
    Class<? extends RunEvent> known = EventTypes.typeOf(type);
    RunEvent event =
        known == null
            ? new RunEvent.Other(type, payload)
            : Channel.JSON.treeToValue(payload, known);
    return Optional.of(event).filter(FromAgentJson::permitted);
  }

  /// The events a Java agent causes, with all they must have and no more than they may have.
  private static boolean permitted(RunEvent event) {
    return switch (event) {
      case RunEvent.ModelDelta delta ->
          delta.part() == null
              ? has(delta.text())
              : has(delta.text()) && Bounds.bytes(delta.text()) <= Limits.TEXT_BYTES_MAX;
      case RunEvent.ModelCompleted _ -> true;
      case RunEvent.ReasoningDelta delta -> has(delta.text());
      case RunEvent.ToolStarted tool -> has(tool.toolCallId(), tool.name(), tool.kind());
      case RunEvent.ToolResult tool ->
          has(tool.toolCallId(), tool.name(), tool.kind()) && tool.outputRef() == null;
      case RunEvent.ToolFailed tool ->
          has(tool.toolCallId(), tool.name(), tool.kind()) && tool.outputRef() == null;
      case RunEvent.RuntimeWarning warning -> has(warning.code(), warning.message());
      case RunEvent.OutputTruncated cut -> has(cut.what());
      case RunEvent.Other other ->
          other.type().equals(HubView.KEPT)
              && other.payload().toString().length() <= 2 * Bounds.DATA_BYTES_MAX;
      case RunEvent.ChannelMessage message ->
          has(message.messageId(), message.content())
              && Bounds.bytes(message.content()) <= Limits.MESSAGE_CONTENT_BYTES_MAX;
      case RunEvent.SessionUpdated _,
          RunEvent.ToolProgress _,
          RunEvent.ArtifactChanged _,
          RunEvent.TaskProgress _,
          RunEvent.CostRecorded _,
          RunEvent.RuntimeError _,
          RunEvent.OutputSpilled _,
          RunEvent.Notice _,
          RunEvent.ProcessInput _,
          RunEvent.StateChange _ ->
          false;
    };
  }

  private static Optional<FromAgent> ended(JsonNode content) throws JsonProcessingException {
    if (!content.has(FAILURE)) {
      return Optional.of(new FromAgent.Ended(Optional.empty()));
    }
    Failure failure = Channel.JSON.treeToValue(content.get(FAILURE), Failure.class);
    return failure.category() == Category.CALLER || failure.category() == Category.BACKEND
        ? Optional.of(new FromAgent.Ended(Optional.of(failure)))
        : Optional.empty();
  }

  private static Optional<Long> sequence(JsonNode content) {
    return content.isIntegralNumber() ? Optional.of(content.longValue()) : Optional.empty();
  }

  private static boolean has(@Nullable String... members) {
    return Stream.of(members).allMatch(Objects::nonNull);
  }
}
