package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.interaction.Interactions;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.SessionChoice;
import java.util.List;
import java.util.Optional;

/// Conversations with agents of the protocol without a process.
public final class ClientProtocolTalks {
  private ClientProtocolTalks() {}

  /// One that asks people, and continues an old conversation for the prompt.
  public static InteractiveProtocol continued(String session) {
    return new ClientProtocolConversation(
        new ClientProtocolPeer("Agent", ClientProtocolQuirks.USUAL),
        new ClientProtocolOpening(
            new SessionChoice.ById(session, false),
            "/work",
            List.of("do it"),
            Optional.of(AgentPrompt.GO_ON)),
        ClientProtocolPermissions.ASKED,
        new CliQuestions<>(PlayedTalk.standing(Interactions.EMPTY, true)),
        "a/",
        null);
  }
}
