package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// What a task is, as it is sent and shown. Every member is always present; an unknown value is
/// null.
final class TaskTermsJson {
  private TaskTermsJson() {}

  static ObjectNode of(TaskTerms terms) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("session_id", terms.sessionId());
    json.put("thread_id", terms.threadId());
    json.put("title", terms.title());
    json.put("objective", terms.objective());
    json.put("task_kind", terms.kind());
    json.put("task_family", terms.family());
    json.put("visibility", terms.visibility().wire());
    json.put("priority", terms.priority());
    json.put("owner", terms.owner());
    json.put("assignee", terms.assignee());
    json.put("scope", terms.scope());
    terms.constraints().forEach(json.putArray("constraints")::add);
    json.put("acceptance", terms.acceptance().wire());
    remote(json, terms.remote());
    return json;
  }

  private static void remote(ObjectNode json, @Nullable RemoteTask remote) {
    if (remote == null) {
      json.putNull("remote");
      return;
    }
    json.putObject("remote")
        .put("protocol", remote.protocol())
        .put("task_id", remote.taskId())
        .put("context_id", remote.contextId())
        .put("native_status", remote.status());
  }
}
