package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/// Threads and their queues over HTTP.
public final class ThreadsClient {
  private final RunyardClient client;

  public ThreadsClient(RunyardClient client) {
    this.client = client;
  }

  /// The thread with its newest turns.
  public ServerReply thread(String threadId) {
    return client.call(
        ApiCall.of("GET", client.at("/v1/threads/" + RunyardClient.encode(threadId))));
  }

  /// The turn that the thread has, and those that wait.
  public ServerReply queue(String threadId) {
    return client.call(
        ApiCall.of("GET", client.at("/v1/threads/" + RunyardClient.encode(threadId) + "/queue")));
  }

  /// A command about a thread, as one request however often it is sent.
  public ServerReply command(String name, ObjectNode params) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("command", name);
    body.set("params", params);
    return client.call(
        ApiCall.of("POST", client.at("/v1/runtime/commands"), RunyardClient.body(body))
            .with("Idempotency-Key", UUID.randomUUID().toString()));
  }
}
