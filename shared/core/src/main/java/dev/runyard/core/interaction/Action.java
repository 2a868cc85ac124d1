package dev.runyard.core.interaction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something a run needs a person for, and how it was decided.
///
/// @param prompt what to decide, for people, at most 4,096 bytes
/// @param schema JSON Schema of an answer's payload, for the client that asks a person; no answer
///   is refused because of it
/// @param choices the only answers; empty for any
/// @param resolution the first decision; null while it is pending
/// @param takenAt sequence at which the agent took the decision; 0 while it has not
/// @param sequence at which it was required; 0 in older snapshots
/// @param toolCallId the call of a tool that waits for it; null if it is not known
public record Action(
    String actionId,
    ActionType actionType,
    String prompt,
    @Nullable JsonNode schema,
    List<String> choices,
    @Nullable JsonNode payload,
    Instant requiredAt,
    Instant expiresAt,
    @Nullable Resolution resolution,
    long takenAt,
    long sequence,
    @Nullable String toolCallId) {
  public Action {
    choices = List.copyOf(choices);
  }

  /// A decision.
  ///
  /// @param sequence its place in the log
  /// @param by who decided, as the API knows them
  public record Resolution(
      long sequence, Instant at, ActionDecision decision, @Nullable JsonNode payload, String by) {}

  public static Action of(ActionRequired required, Instant at, long sequence) {
    return new Action(
        required.actionId(),
        required.actionType(),
        required.prompt(),
        required.schema(),
        required.choices(),
        required.payload(),
        at,
        required.expiresAt(),
        null,
        0,
        sequence,
        required.toolCallId());
  }

  @JsonIgnore
  public boolean pending() {
    return resolution == null;
  }

  /// True for a permitted answer: if there are choices, the text of one of them.
  public boolean offers(@Nullable JsonNode answer) {
    return choices.isEmpty()
        || (answer != null && answer.isTextual() && choices.contains(answer.textValue()));
  }

  /// True when it is decided, by a person or by time, and the agent has not taken the decision.
  @JsonIgnore
  public boolean undelivered() {
    return takenAt == 0 && resolution != null && resolution.decision() != ActionDecision.CANCELLED;
  }

  public Action resolved(Resolution by) {
    return with(by, takenAt);
  }

  public Action taken(long when) {
    return with(resolution, when);
  }

  private Action with(@Nullable Resolution decision, long taken) {
    return new Action(
        actionId,
        actionType,
        prompt,
        schema,
        choices,
        payload,
        requiredAt,
        expiresAt,
        decision,
        taken,
        sequence,
        toolCallId);
  }

  /// A decided action without the texts of question and answer; a pending one unchanged.
  public Action slim() {
    Resolution was = resolution;
    return was == null
        ? this
        : new Action(
            actionId,
            actionType,
            "",
            null,
            List.of(),
            null,
            requiredAt,
            expiresAt,
            new Resolution(was.sequence(), was.at(), was.decision(), null, was.by()),
            takenAt,
            sequence,
            toolCallId);
  }

  /// This action with what [#slim()] leaves out.
  ///
  /// @param answer the payload of its decision
  public Action whole(ActionRequired required, @Nullable JsonNode answer) {
    Resolution was = resolution;
    return new Action(
        actionId,
        actionType,
        required.prompt(),
        required.schema(),
        required.choices(),
        required.payload(),
        requiredAt,
        expiresAt,
        was == null
            ? null
            : new Resolution(was.sequence(), was.at(), was.decision(), answer, was.by()),
        takenAt,
        sequence,
        toolCallId);
  }
}
