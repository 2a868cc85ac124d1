package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.SessionChoice;
import java.util.List;
import java.util.Optional;

/// How a session begins: agent and runner agree on the protocol, then a new conversation is opened
/// or an old one continued. Not thread-safe.
final class ClientProtocolOpening {
  private final SessionChoice choice;
  private final String workingDir;
  private final List<String> prompts;
  private final Optional<String> goOn;
  private final StringBuilder repeated = new StringBuilder();
  private long lastId;
  private boolean agreed;
  private volatile boolean resumable;
  private boolean holdsPrompt;
  private String session = "";

  /// @param prompts the first prompts, at least that of the run
  /// @param goOn what the agent is told if an old conversation contains the prompt of the run
  ClientProtocolOpening(
      SessionChoice choice, String workingDir, List<String> prompts, Optional<String> goOn) {
    this.choice = choice;
    this.workingDir = workingDir;
    this.prompts = List.copyOf(prompts);
    this.goOn = goOn;
  }

  /// The next step after a response of the agent.
  sealed interface Step {
    record Next(Effect.Write write) implements Step {}

    /// The session is open.
    ///
    /// @param prompts to be sent in it
    record Ready(String session, List<String> prompts) implements Step {}

    record OtherVersion() implements Step {}

    record Failed(AgentTrouble why) implements Step {}

    /// It does not answer any request.
    record Unasked() implements Step {}
  }

  Effect.Write begin() {
    return ClientProtocolLines.initialize(++lastId);
  }

  Step answered(long id, JsonNode result) {
    if (id != lastId) {
      return new Step.Unasked();
    }
    if (!agreed) {
      agreed = true;
      resumable =
          result.at("/agentCapabilities/loadSession").asBoolean()
              || result.at("/agentCapabilities/sessionCapabilities/resume").isObject();
      return result.path("protocolVersion").asInt(0) == ClientProtocolLines.PROTOCOL_VERSION
          ? open(result.path("agentCapabilities"))
          : new Step.OtherVersion();
    }
    String opened = result.path("sessionId").asText("");
    session = opened.isEmpty() ? session : opened;
    return session.isEmpty()
        ? new Step.Failed(AgentTrouble.OTHER)
        : new Step.Ready(session, holdsPrompt ? goOn.stream().toList() : prompts);
  }

  /// True once the agent said that it can open an old conversation.
  boolean resumable() {
    return resumable;
  }

  /// Why the session did not open.
  AgentTrouble failed(JsonNode error) {
    AgentTrouble why = ClientProtocolTrouble.of(error);
    return why == AgentTrouble.OTHER && !session.isEmpty() ? AgentTrouble.SESSION_NOT_FOUND : why;
  }

  /// A repeated piece of the continued conversation.
  void repeated(JsonNode update) {
    boolean said = update.path("sessionUpdate").asText("").equals("user_message_chunk");
    if (goOn.isEmpty() || holdsPrompt || !said) {
      return;
    }
    String prompt = prompts.getFirst().strip();
    repeated.append(update.at("/content/text").asText(""));
    holdsPrompt = repeated.indexOf(prompt) >= 0;
    int needed = holdsPrompt ? 0 : prompt.length();
    repeated.delete(0, Math.max(0, repeated.length() - needed));
  }

  Effect.Write prompt(String words) {
    return ClientProtocolLines.prompt(++lastId, session, words);
  }

  private Step open(JsonNode capabilities) {
    return switch (choice) {
      case SessionChoice.Fresh _ ->
          new Step.Next(ClientProtocolLines.newSession(++lastId, workingDir));
      case SessionChoice.Last _ -> new Step.Failed(AgentTrouble.SESSION_NOT_FOUND);
      case SessionChoice.ById(String id, boolean _) -> {
        boolean repeats = capabilities.path("loadSession").asBoolean();
        boolean resumes = capabilities.at("/sessionCapabilities/resume").isObject();
        holdsPrompt = goOn.isPresent() && !repeats;
        if (!repeats && !resumes) {
          yield new Step.Failed(AgentTrouble.SESSION_NOT_FOUND);
        }
        session = id;
        String method =
            resumes && !(goOn.isPresent() && repeats) ? "session/resume" : "session/load";
        yield new Step.Next(ClientProtocolLines.oldSession(++lastId, method, id, workingDir));
      }
    };
  }
}
