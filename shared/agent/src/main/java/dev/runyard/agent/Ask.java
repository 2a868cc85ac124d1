package dev.runyard.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an agent asks a person.
///
/// @param choices answers to choose from; empty for any
/// @param timeoutSeconds how long to wait; 0 for the run's own setting, by default a day
/// @param payload details for programs
public record Ask(
    ActionType type,
    String prompt,
    List<String> choices,
    int timeoutSeconds,
    @Nullable JsonNode payload) {
  public Ask {
    choices = List.copyOf(choices);
  }

  /// Asks for a message by sending one, which is the payload; if it is not answered in time, the
  /// run ends.
  public static Ask message(Message message) {
    return new Ask(
        ActionType.MESSAGE, message.text(), List.of(), 0, JsonFormat.JSON.valueToTree(message));
  }

  /// Asks a question; if it is not answered in time, the run ends.
  public static Ask question(String prompt, String... choices) {
    return new Ask(ActionType.QUESTION, prompt, List.of(choices), 0, null);
  }

  /// Asks for a permission; no answer in time means no.
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
