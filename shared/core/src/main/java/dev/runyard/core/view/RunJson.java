package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.FailureJson;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run as clients of the native API see it. Every member is always present; an unknown value is
/// null. `output` grows while the agent writes, `final_text` appears when the run has ended.
public final class RunJson {
  private static final Failure CANCELLED =
      new Failure(Failure.CANCELLED, Category.CALLER, "cancelled");

  private RunJson() {}

  public static ObjectNode of(RunState.Existing run) {
    RunFacts facts = run.facts();
    Instant finishedAt = run instanceof RunState.Closed closed ? closed.finishedAt() : null;
    String text = facts.finalText();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("run_id", facts.run().runId());
    json.put("agent", facts.request().agent());
    json.put("status", run.status().wire());
    json.put("phase", run.phase());
    json.put("session_id", facts.request().sessionId());
    json.put("thread_id", facts.request().turnOf(facts.run()).threadId());
    json.put("turn_id", facts.request().turnOf(facts.run()).turnId());
    json.put("attempt", facts.attempts());
    facts.interactions().pending().stream()
        .findFirst()
        .ifPresentOrElse(
            action -> json.set("await_request", ActionJson.of(action)),
            () -> json.putNull("await_request"));
    output(json, facts.request().agent(), text);
    json.put("final_text", run.closed() ? text : null);
    usage(json.putObject("usage"), facts.usage());
    FailureJson.put(json, "error", failure(run));
    FailureJson.put(json, "blocked", run.blocked().map(RunState.Blocked::error).orElse(null));
    exit(json, attempt(run).map(Attempt::exit).orElse(null));
    json.put("created_at", JsonFormat.time(facts.createdAt()));
    json.put("started_at", JsonFormat.timeOrNull(facts.startedAt()));
    json.put("finished_at", JsonFormat.timeOrNull(finishedAt));
    json.put("last_sequence", facts.sequence());
    json.put("closed", run.closed());
    return json;
  }

  private static void output(ObjectNode json, String agent, @Nullable String text) {
    var messages = json.putArray("output");
    if (text != null) {
      messages
          .addObject()
          .put("role", "agent/" + agent)
          .putArray("parts")
          .addObject()
          .put("content_type", "text/plain")
          .put("content", text);
    }
  }

  private static void usage(ObjectNode json, Usage usage) {
    json.put("input_tokens", usage.inputTokens());
    json.put("cached_input_tokens", usage.cachedInputTokens());
    json.put("cache_write_tokens", usage.cacheWriteTokens());
    json.put("output_tokens", usage.outputTokens());
    json.put("reasoning_tokens", usage.reasoningTokens());
    json.put("turns", usage.turns());
    json.put("cost_usd", usage.costUsd());
  }

  private static void exit(ObjectNode json, Attempt.@Nullable Exit exit) {
    if (exit == null) {
      json.putNull("exit");
      return;
    }
    json.putObject("exit").put("code", exit.code()).put("signal", exit.signal());
  }

  private static @Nullable Failure failure(RunState.Existing state) {
    return switch (state) {
      case RunState.Failed run -> run.error();
      case RunState.Cancelled _ -> CANCELLED;
      case RunState.Open _, RunState.Completed _ -> null;
    };
  }

  static Optional<Attempt> attempt(RunState.Existing state) {
    return switch (state) {
      case RunState.Created _, RunState.CancellingIdle _ -> Optional.empty();
      case RunState.Retrying run -> Optional.of(run.last());
      case RunState.Paused run -> Optional.of(run.last());
      case RunState.Claimed run -> Optional.of(run.attempt());
      case RunState.Completed run -> Optional.of(run.attempt());
      case RunState.Failed run -> run.attempt();
      case RunState.Cancelled run -> run.attempt();
    };
  }
}
