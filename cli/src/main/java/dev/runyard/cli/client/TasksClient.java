package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Tasks over HTTP.
public final class TasksClient {
  private static final String PATH = "/v1/tasks";

  private final RunyardClient client;

  public TasksClient(RunyardClient client) {
    this.client = client;
  }

  public ServerReply task(String taskId) {
    return get("/" + RunyardClient.encode(taskId));
  }

  /// Tasks, newest first.
  public ServerReply list(int limit) {
    return get("?limit=" + limit);
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
