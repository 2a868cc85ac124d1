package dev.runyard.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What a task is to be.
final class TaskOptions {
  @Parameters(paramLabel = "TITLE", description = "What it is called.")
  private String title = "";

  @Option(names = "--agent", paramLabel = "KIND", description = "The agent of its runs.")
  private @Nullable String agent;

  @Option(
      names = "--prompt",
      paramLabel = "TEXT",
      description = "What the agent is told; default: the objective, or the title.")
  private @Nullable String prompt;

  @Option(
      names = "--tag",
      paramLabel = "NAME=VALUE",
      description = "A tag of its runs; may be repeated.")
  private Map<String, String> tags = new LinkedHashMap<>();

  @Option(names = "--id", paramLabel = "TASK", description = "Its id; default: a new one.")
  private @Nullable String id;

  @Option(names = "--parent", paramLabel = "TASK", description = "The task that it is a part of.")
  private @Nullable String parent;

  @Option(names = "--objective", paramLabel = "TEXT", description = "What is to be reached.")
  private @Nullable String objective;

  @Option(names = "--session", paramLabel = "ID", description = "The session of its runs.")
  private @Nullable String session;

  @Option(names = "--manual", description = "It is done only when somebody says so.")
  private boolean manual;

  ObjectNode params() {
    ObjectNode params = JsonNodeFactory.instance.objectNode();
    params.put("task_id", id == null ? UUID.randomUUID().toString() : id);
    params.put("title", title);
    put(params, "parent_task_id", parent);
    put(params, "objective", objective);
    put(params, "session_id", session);
    if (manual) {
      params.put("acceptance", "manual");
    }
    if (agent != null) {
      ObjectNode request = params.putObject("request").put("agent", agent);
      put(request, "prompt", prompt);
      if (!tags.isEmpty()) {
        ObjectNode named = request.putObject("tags");
        tags.forEach(named::put);
      }
    }
    return params;
  }

  private static void put(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
