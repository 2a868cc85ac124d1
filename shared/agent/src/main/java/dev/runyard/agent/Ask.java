package dev.runyard.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an agent asks of a person.
///
/// @param choices answers to choose from; empty for any
/// @param timeoutSeconds how long to wait; 0 for as long as the run says, a day by default
/// @param payload more of it, for programs
public record Ask(
    ActionType type,
    String prompt,
    List<String> choices,
    int timeoutSeconds,
    @Nullable JsonNode payload) {
  public Ask {
    choices = List.copyOf(choices);
  }

  /// Asks for a message by sending one, which is the payload; one that is not answered in time ends
  /// the run.
  public static Ask message(Message message) {
    return new Ask(
        ActionType.MESSAGE, message.text(), List.of(), 0, JsonFormat.JSON.valueToTree(message));
  }

  /// Asks a question; one that is not answered in time ends the run.
  public static Ask question(String prompt, String... choices) {
    return new Ask(ActionType.QUESTION, prompt, List.of(choices), 0, null);
  }

  /// Asks whether it may; nobody answering in time is a no.
  public static Ask permission(String prompt) {
    return new Ask(ActionType.PERMISSION, prompt, List.of(), 0, null);
  }

  public Ask within(int seconds) {
    return new Ask(type, prompt, choices, seconds, payload);
  }

  public Question as(String actionId) {
    return new Question(actionId, type, prompt, null, choices, timeoutSeconds, payload);
  }
}
