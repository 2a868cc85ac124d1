package dev.runyard.runner.backend.acp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Journal;
import dev.runyard.core.run.RunKey;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Move;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.Standing;
import java.util.ArrayList;
import java.util.List;

/// A talk with an agent that is played line by line, without a process. JSON is written with single
/// quotes.
final class AcpBench {
  static final String AGREED = "{'protocolVersion':1,'agentCapabilities':{}}";
  static final String OPENED = "{'sessionId':'s-1'}";
  static final String SHELL =
      "{'toolCallId':'c-1','title':'touch a','kind':'execute','rawInput':{'command':'touch a'}}";
  static final String OPTIONS =
      "[{'optionId':'o-2','name':'Always','kind':'allow_always'},"
          + "{'optionId':'o-1','name':'Once','kind':'allow_once'},"
          + "{'optionId':'o-3','name':'No','kind':'reject_once'}]";

  private final AcpTalk talk;
  private final List<Move> moves = new ArrayList<>();
  private long lastId;

  private AcpBench(AcpTalk talk) {
    this.talk = talk;
  }

  static AcpBench with(AcpManners manners, AcpPermissions permissions) {
    return with(manners, permissions, new SessionChoice.Fresh(), false, Journal.EMPTY);
  }

  static AcpBench with(
      AcpManners manners,
      AcpPermissions permissions,
      SessionChoice choice,
      boolean continues,
      Journal journal) {
    RunKey run = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
    Standing standing = new Standing(run, "session-1", List.of(), journal, continues);
    return new AcpBench(
        new AcpTalk(
            "Agent",
            new AcpOpening(choice, "/work", List.of("do it"), continues),
            manners,
            permissions,
            new CliQuestions<>(standing),
            "a/",
            null));
  }

  /// Goes on until the prompt was said.
  AcpBench prompted() {
    heard(talk.open());
    answer(AGREED);
    answer(OPENED);
    moves.clear();
    return this;
  }

  AcpTalk talk() {
    return talk;
  }

  List<Move> open() {
    return heard(talk.open());
  }

  /// The agent answers what it was asked last.
  List<Move> answer(String result) {
    return line("{'jsonrpc':'2.0','id':%d,'result':%s}".formatted(lastId, result));
  }

  List<Move> fail(String error) {
    return line("{'jsonrpc':'2.0','id':%d,'error':%s}".formatted(lastId, error));
  }

  List<Move> ends(String stopReason) {
    return answer("{'stopReason':'" + stopReason + "'}");
  }

  List<Move> update(String update) {
    return line("{'method':'session/update','params':{'sessionId':'s-1','update':" + update + "}}");
  }

  List<Move> says(String text) {
    return update(
        "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'" + text + "'}}");
  }

  List<Move> asks(String id, String tool, String options) {
    return line(
        "{'id':%s,'method':'session/request_permission','params':{'toolCall':%s,'options':%s}}"
            .formatted(id, tool, options));
  }

  List<Move> line(String line) {
    return heard(talk.line(line.replace('\'', '"')));
  }

  /// Everything that was told so far.
  List<RunEvent> told() {
    return told(moves);
  }

  static List<RunEvent> told(List<Move> moves) {
    return moves.stream()
        .filter(Move.Tell.class::isInstance)
        .map(move -> ((Move.Tell) move).event())
        .toList();
  }

  static List<JsonNode> written(List<? extends Move> moves) throws JsonProcessingException {
    List<JsonNode> lines = new ArrayList<>();
    for (Move move : moves) {
      if (move instanceof Move.Write write) {
        lines.add(EventCodec.JSON.readTree(write.line()));
      }
    }
    return lines;
  }

  static JsonNode json(String text) throws JsonProcessingException {
    return EventCodec.JSON.readTree(text.replace('\'', '"'));
  }

  private List<Move> heard(List<Move> more) {
    moves.addAll(more);
    try {
      for (JsonNode line : written(more)) {
        lastId = line.has("method") ? line.path("id").asLong(lastId) : lastId;
      }
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
    return more;
  }
}
