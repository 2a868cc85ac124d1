package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.AgentPrompt;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines that are sent to `codex app-server`, each a JSON-RPC 2.0 message without the member
/// `jsonrpc`.
///
/// @param run how the thread is started; its prompt is sent as a message
record CodexLines(CodexRun run, @Nullable String model) {
  private static final String CLIENT = "runyard";
  private static final String VERSION = "1";
  private static final int UNSUPPORTED = -32601;

  Path workingDir() {
    return run.workingDir();
  }

  String initialize(int id) {
    ObjectNode params = object();
    params.putObject("clientInfo").put("name", CLIENT).put("version", VERSION);
    return request(id, "initialize", params);
  }

  String initialized() {
    return object().put("method", "initialized").toString();
  }

  /// Opens the run's thread.
  String thread(int id) {
    ObjectNode params =
        object()
            .put("cwd", run.workingDir().toString())
            .put("approvalPolicy", run.options().approval().policy())
            .put("sandbox", sandbox());
    if (model != null) {
      params.put("model", model);
    }
    return switch (run.thread()) {
      case CodexThread.Fresh _, CodexThread.Missing _ -> request(id, "thread/start", params);
      case CodexThread.Known known -> request(id, "thread/resume", of(known.id(), params));
      case CodexThread.Copied copied -> request(id, "thread/fork", of(copied.id(), params));
    };
  }

  String startTurn(int id, String threadId, List<AgentPrompt> words) {
    ObjectNode params = input(threadId, words);
    return request(id, "turn/start", params.put("clientUserMessageId", words.getFirst().id()));
  }

  String steer(int id, String threadId, String turnId, AgentPrompt word) {
    ObjectNode params = input(threadId, List.of(word)).put("expectedTurnId", turnId);
    return request(id, "turn/steer", params.put("clientUserMessageId", word.id()));
  }

  String interrupt(int id, String threadId, String turnId) {
    return request(id, "turn/interrupt", object().put("threadId", threadId).put("turnId", turnId));
  }

  /// The answer to a request for approval.
  String decision(JsonNode id, String decision) {
    ObjectNode line = object();
    line.set("id", id);
    line.putObject("result").put("decision", decision);
    return line.toString();
  }

  /// The answer to an unknown request.
  String unsupported(JsonNode id) {
    ObjectNode line = object();
    line.set("id", id);
    line.putObject("error").put("code", UNSUPPORTED).put("message", "not supported");
    return line.toString();
  }

  private String sandbox() {
    return switch (run.options().sandbox()) {
      case READ_ONLY, WORKSPACE_WRITE, DANGER_FULL_ACCESS -> run.options().sandbox().mode();
      case EXTERNAL -> CodexOptions.Sandbox.DANGER_FULL_ACCESS.mode();
    };
  }

  private static ObjectNode of(String threadId, ObjectNode params) {
    return params.put("threadId", threadId).put("excludeTurns", true);
  }

  private static ObjectNode input(String threadId, List<AgentPrompt> words) {
    ObjectNode params = object().put("threadId", threadId);
    var input = params.putArray("input");
    words.forEach(word -> input.addObject().put("type", "text").put("text", word.text()));
    return params;
  }

  private static String request(int id, String method, ObjectNode params) {
    ObjectNode line = object().put("id", id).put("method", method);
    line.set("params", params);
    return line.toString();
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
