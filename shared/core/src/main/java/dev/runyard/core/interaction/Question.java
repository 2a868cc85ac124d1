package dev.runyard.core.interaction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an agent asks a person.
///
/// @param actionId from [ActionId#of], with the number after the run's last action
/// @param timeoutSeconds how long to wait; 0 for the time the run has for it
/// @param toolCallId the call of a tool that waits for the answer, if the agent says which
public record Question(
    String actionId,
    ActionType actionType,
    String prompt,
    @Nullable JsonNode schema,
    List<String> choices,
    int timeoutSeconds,
    @Nullable JsonNode payload,
    @Nullable String toolCallId) {
  public Question {
    choices = List.copyOf(choices);
  }

  /// A question that belongs to no call of a tool.
  public Question(
      String actionId,
      ActionType actionType,
      String prompt,
      @Nullable JsonNode schema,
      List<String> choices,
      int timeoutSeconds,
      @Nullable JsonNode payload) {
    this(actionId, actionType, prompt, schema, choices, timeoutSeconds, payload, null);
  }

  /// The question as an event, asked now, in a run that does not say how long to wait.
  public ActionRequired asked(Instant now) {
    return asked(now, Limits.AWAIT_SECONDS_DEFAULT, Instant.MAX);
  }

  /// The question as an event, asked now, within its bounds: what is too long is cut or left out.
  ///
  /// @param awaitSeconds how long to wait if the question sets no time
  /// @param end when the run waits for nothing any more
  public ActionRequired asked(Instant now, int awaitSeconds, Instant end) {
    int seconds =
        Math.clamp(
            Duration.between(now, end).toSeconds(),
            0,
            Math.min(
                timeoutSeconds <= 0 ? awaitSeconds : timeoutSeconds, Limits.AWAIT_SECONDS_MAX));
    Question cut = cut();
    return new ActionRequired(
        actionId,
        actionType,
        cut.prompt(),
        cut.schema(),
        cut.choices(),
        seconds,
        now.truncatedTo(ChronoUnit.MILLIS).plusSeconds(seconds),
        cut.payload(),
        actionType.decisions(),
        cut.toolCallId());
  }

  /// The question within its bounds: what is too long is cut or left out.
  public Question cut() {
    return new Question(
        actionId,
        actionType,
        Bounds.truncate(Bounds.wellFormed(prompt), Bounds.MESSAGE_BYTES_MAX),
        bounded(schema),
        choices.stream()
            .limit(Limits.CHOICES_MAX)
            .map(choice -> Bounds.truncate(Bounds.wellFormed(choice), Limits.CHOICE_BYTES_MAX))
            .toList(),
        timeoutSeconds,
        bounded(payload),
        toolCallId == null
            ? null
            : Bounds.truncate(Bounds.wellFormed(toolCallId), Bounds.CHANNEL_BYTES_MAX));
  }

  /// Only what tells it from others, for one of very many that nobody will read.
  public Question bare() {
    return new Question(
        actionId,
        actionType,
        Bounds.truncate(Bounds.wellFormed(prompt), Bounds.CHANNEL_BYTES_MAX),
        null,
        List.of(),
        timeoutSeconds,
        null,
        toolCallId);
  }

  private static @Nullable JsonNode bounded(@Nullable JsonNode json) {
    return json == null ? null : Bounds.data(json, Limits.ACTION_JSON_BYTES_MAX);
  }

  /// A question in plain text, with nothing else.
  public static Question of(String actionId, ActionType type, String prompt) {
    return new Question(actionId, type, prompt, null, List.of(), 0, null);
  }

  /// The payload of an answer that is a text.
  public static JsonNode answer(String text) {
    return JsonNodeFactory.instance.textNode(text);
  }
}
