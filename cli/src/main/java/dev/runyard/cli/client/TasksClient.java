package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Tasks over HTTP.
public final class TasksClient {
  private static final String PATH = "/v1/tasks";
  private static final int PAGE_MAX = 100;

  private final RunyardClient client;

  public TasksClient(RunyardClient client) {
    this.client = client;
  }

  public ServerReply task(String taskId) {
    return get("/" + RunyardClient.encode(taskId));
  }

  /// Tasks, newest first, of as many pages as it takes.
  ///
  /// @param status theirs, several with commas; null for any
  public ServerReply list(int limit, @Nullable String status) {
    String filter = status == null ? "" : "&status=" + RunyardClient.encode(status);
    ObjectNode found = JsonNodeFactory.instance.objectNode();
    ArrayNode tasks = found.putArray("tasks");
    String cursor = "";
    while (true) {
      int room = Math.min(limit - tasks.size(), PAGE_MAX);
      ServerReply reply = get("?limit=" + room + filter + cursor);
      if (!(reply instanceof ServerReply.Done(JsonNode page))) {
        return reply;
      }
      page.path("tasks").forEach(tasks::add);
      String next = page.path("next_cursor").textValue();
      if (next == null || tasks.size() >= limit) {
        return new ServerReply.Done(found.put("next_cursor", next));
      }
      cursor = "&cursor=" + RunyardClient.encode(next);
    }
  }

  /// The events of a task after one of them.
  public ServerReply events(String taskId, long after) {
    return get("/" + RunyardClient.encode(taskId) + "/events?after=" + after + "&limit=1000");
  }

  private ServerReply get(String path) {
    return client.call(ApiCall.of("GET", client.at(PATH + path)));
  }

  /// A command, as one request however often it is sent.
  public ServerReply command(String name, ObjectNode params) {
    return new ThreadsClient(client).command(name, params);
  }
}
