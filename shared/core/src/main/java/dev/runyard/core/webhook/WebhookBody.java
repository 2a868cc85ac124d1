package dev.runyard.core.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.time.Instant;

/// What a webhook is sent: which run, its state, and where to read the rest. Never what an agent or
/// a person wrote.
final class WebhookBody {
  private WebhookBody() {}

  static String end(RunState.Closed run) {
    ObjectNode data = data(run);
    if (run instanceof RunState.Failed failed) {
      data.putObject("error")
          .put("code", failed.error().code())
          .put("category", failed.error().category().wire());
    }
    data.put("finished_at", JsonFormat.time(run.finishedAt()));
    return sent(WebhookEvent.end(run), run.finishedAt(), data);
  }

  static String required(RunState.Existing run, Action action) {
    ObjectNode data = data(run);
    data.putObject("action")
        .put("action_id", action.actionId())
        .put("type", action.actionType().wire())
        .put("expires_at", JsonFormat.time(action.expiresAt()));
    return sent(WebhookEvent.ACTION_REQUIRED, action.requiredAt(), data);
  }

  static String ping(String webhookId, Instant now) {
    return sent(
        WebhookEvent.PING, now, JsonNodeFactory.instance.objectNode().put("webhook_id", webhookId));
  }

  private static ObjectNode data(RunState.Existing run) {
    RunFacts facts = run.facts();
    String runId = facts.run().runId();
    return JsonNodeFactory.instance
        .objectNode()
        .put("run_id", runId)
        .put("path", "/v1/runs/" + runId)
        .put("agent", facts.request().agent())
        .put("session_id", facts.request().sessionId())
        .put("status", run.status().wire())
        .put("phase", run.phase())
        .put("attempt", facts.attempts())
        .put("created_at", JsonFormat.time(facts.createdAt()));
  }

  private static String sent(WebhookEvent event, Instant at, ObjectNode data) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", event.wire());
    body.put("timestamp", JsonFormat.time(at));
    body.set("data", data);
    return body.toString();
  }
}
