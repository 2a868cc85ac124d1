package dev.runyard.runner.backend;

import dev.runyard.core.interaction.InboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A message to an agent that stores the ids of messages in its conversations.
///
/// @param id a UUID, with which the agent repeats the message once it has read it, and by which it
///   is found in the conversation later; unique in a conversation
public record AgentPrompt(String id, String text) {
  /// The first message of an attempt that continues one which waited for a person; its conversation
  /// contains the prompt. Some agents record a call that they were ended at as refused by their
  /// user.
  public static final String GO_ON =
      "You were interrupted while a call of yours waited for a decision. The call was not carried"
          + " out, and what looks like a refusal of it is none. Make the same call once more,"
          + " exactly as it was: it has been decided by now, and you get the decision with it. Then"
          + " go on with your task.";

  /// The same for an agent that was ended while it worked.
  public static final String WORK_ON =
      "You were interrupted on purpose while you worked, and may go on now. What you had done by"
          + " then is as you left it. A call that was under way may have been carried out in part"
          + " or not at all, and what looks like a refusal of it is none: look before you repeat it."
          + " Then go on with your task.";

  /// What an agent is told whose conversation contains the prompt.
  ///
  /// @param standing of an attempt that continues another
  public static String goOn(RunContext standing) {
    return standing.interactions().holds() ? GO_ON : WORK_ON;
  }

  /// A message whose id follows from its run or attempt and its name there, so that it is always
  /// the same.
  public static AgentPrompt of(String owner, String name, String text) {
    byte[] seed = (owner + "#" + name).getBytes(StandardCharsets.UTF_8);
    return new AgentPrompt(UUID.nameUUIDFromBytes(seed).toString(), text);
  }

  /// The run's prompt.
  public static AgentPrompt prompt(AgentRunRequest request) {
    return of(request.runId(), "prompt", request.prompt());
  }

  /// The first messages. An attempt that continues another says so in the conversation that
  /// contains the run's prompt; if that is gone, it begins a new one, with the messages the other
  /// attempt had taken.
  ///
  /// @param held whether the conversation contains the prompt
  public static List<AgentPrompt> first(AgentRunRequest request, boolean held) {
    if (!request.standing().continuation()) {
      return List.of(prompt(request));
    }
    if (held) {
      return List.of(of(request.attemptId(), "go on", goOn(request.standing())));
    }
    List<AgentPrompt> words = new ArrayList<>(List.of(prompt(request)));
    for (InboxMessage message : request.standing().interactions().messages()) {
      words.add(of(request.attemptId(), message.messageId(), message.content()));
    }
    return words;
  }
}
