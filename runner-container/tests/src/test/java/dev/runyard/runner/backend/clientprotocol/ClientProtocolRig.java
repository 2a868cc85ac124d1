package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.PlayedTalk;
import dev.runyard.runner.backend.SessionChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A conversation with an agent that is played line by line, without a process. JSON is written
/// with single quotes.
final class ClientProtocolRig {
  static final String AGREED = "{'protocolVersion':1,'agentCapabilities':{}}";
  static final String OPENED = "{'sessionId':'s-1'}";
  static final String SHELL =
      "{'toolCallId':'c-1','title':'touch a','kind':'execute','rawInput':{'command':'touch a'}}";
  static final String OPTIONS =
      "[{'optionId':'o-2','name':'Always','kind':'allow_always'},"
          + "{'optionId':'o-1','name':'Once','kind':'allow_once'},"
          + "{'optionId':'o-3','name':'No','kind':'reject_once'}]";

  private final ClientProtocolConversation talk;
  private final List<Effect> moves = new ArrayList<>();
  private long lastId;

  private ClientProtocolRig(ClientProtocolConversation talk) {
    this.talk = talk;
  }

  static ClientProtocolRig with(
      ClientProtocolQuirks manners, ClientProtocolPermissions permissions) {
    return with(manners, permissions, new SessionChoice.Fresh(), false, Interactions.EMPTY);
  }

  static ClientProtocolRig with(
      ClientProtocolQuirks manners,
      ClientProtocolPermissions permissions,
      SessionChoice choice,
      boolean continues,
      Interactions interactions) {
    return new ClientProtocolRig(
        new ClientProtocolConversation(
            new ClientProtocolPeer("Agent", manners),
            new ClientProtocolOpening(
                choice,
                "/work",
                List.of("do it"),
                continues ? Optional.of(AgentPrompt.GO_ON) : Optional.empty()),
            permissions,
            new CliQuestions<>(PlayedTalk.standing(interactions, continues)),
            "a/",
            null));
  }

  /// Plays until the prompt was sent.
  ClientProtocolRig prompted() {
    heard(talk.open());
    answer(AGREED);
    answer(OPENED);
    moves.clear();
    return this;
  }

  ClientProtocolConversation talk() {
    return talk;
  }

  List<Effect> open() {
    return heard(talk.open());
  }

  /// The agent answers the last request.
  List<Effect> answer(String result) {
    return line("{'jsonrpc':'2.0','id':%d,'result':%s}".formatted(lastId, result));
  }

  List<Effect> fail(String error) {
    return line("{'jsonrpc':'2.0','id':%d,'error':%s}".formatted(lastId, error));
  }

  List<Effect> ends(String stopReason) {
    return answer("{'stopReason':'" + stopReason + "'}");
  }

  List<Effect> update(String update) {
    return line("{'method':'session/update','params':{'sessionId':'s-1','update':" + update + "}}");
  }

  List<Effect> says(String text) {
    return update(
        "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'" + text + "'}}");
  }

  List<Effect> asks(String id, String tool, String options) {
    return line(
        "{'id':%s,'method':'session/request_permission','params':{'toolCall':%s,'options':%s}}"
            .formatted(id, tool, options));
  }

  List<Effect> line(String line) {
    return heard(talk.line(PlayedTalk.quoted(line)));
  }

  /// All events so far.
  List<RunEvent> told() {
    return PlayedTalk.told(moves);
  }

  private List<Effect> heard(List<Effect> more) {
    moves.addAll(more);
    try {
      for (JsonNode line : PlayedTalk.written(more)) {
        lastId = line.has("method") ? line.path("id").asLong(lastId) : lastId;
      }
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
    return more;
  }
}
