package dev.runyard.runner.backend;

import dev.runyard.core.interaction.InboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A message to an agent that keeps the ids of messages in its conversations.
///
/// @param id a UUID, by which it is repeated once it was heard and found in the conversation later;
///   no two messages of a conversation may have the same
public record AgentPrompt(String id, String text) {
  /// What an attempt says that goes on where another one stood; its conversation holds the prompt.
  /// Some agents write down a call they were ended at as refused by their user.
  public static final String GO_ON =
      "You were interrupted while a call of yours waited for a decision. The call was not carried"
          + " out, and what looks like a refusal of it is none. Make the same call once more,"
          + " exactly as it was: it has been decided by now, and you get the decision with it. Then"
          + " go on with your task.";

  /// A message with the id that its run or attempt and its name there make, always the same.
  public static AgentPrompt of(String owner, String name, String text) {
    byte[] seed = (owner + "#" + name).getBytes(StandardCharsets.UTF_8);
    return new AgentPrompt(UUID.nameUUIDFromBytes(seed).toString(), text);
  }

  /// The run's prompt.
  public static AgentPrompt prompt(AgentRunRequest request) {
    return of(request.runId(), "prompt", request.prompt());
  }

  /// What is said first. An attempt that goes on where another stood says so in the conversation
  /// that holds the run's prompt; where that is gone it begins anew, with the messages the other
  /// one had taken.
  ///
  /// @param held whether the conversation holds the prompt
  public static List<AgentPrompt> first(AgentRunRequest request, boolean held) {
    if (!request.standing().continuation()) {
      return List.of(prompt(request));
    }
    if (held) {
      return List.of(of(request.attemptId(), "go on", GO_ON));
    }
    List<AgentPrompt> words = new ArrayList<>(List.of(prompt(request)));
    for (InboxMessage message : request.standing().interactions().messages()) {
      words.add(of(request.attemptId(), message.messageId(), message.content()));
    }
    return words;
  }
}
