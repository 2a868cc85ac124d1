package dev.runyard.functions.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.job.JobFacts;
import dev.runyard.core.job.JobState;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.task.TaskFacts;
import dev.runyard.core.task.TaskJson;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.thread.ThreadState;
import dev.runyard.core.view.ThreadJson;
import dev.runyard.functions.http.Reply;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answer to a command: how it went, what it is about, where its events are, and what a
/// resource would have answered.
record CommandAnswer(String command) {

  /// About a run.
  Reply ofRun(String outcome, RunState.Existing run, JsonNode result) {
    String runId = run.facts().run().runId();
    return reply(
        outcome, ids(run), "/v1/runs/" + runId + "/events", run.facts().sequence(), result);
  }

  /// About the order of a thread, and one of its turns.
  Reply ofTurn(String outcome, ThreadTurns.In in, RunState.Existing run, ThreadState now) {
    ObjectNode result = ThreadJson.order(in, now.turns());
    return reply(outcome, ids(run), events(in), now.sequence(), result);
  }

  /// About what a thread goes on from.
  Reply ofBase(
      String outcome,
      ThreadTurns.In in,
      RunState.Existing turn,
      ThreadState now,
      ThreadOrigin from) {
    ObjectNode result = ThreadJson.base(in, turn, from);
    return reply(outcome, ids(turn), events(in), now.sequence(), result);
  }

  /// About a turn of which nothing is kept.
  Reply ofTurnGone(ThreadTurns.In in, RunState.Existing turn) {
    return reply("unavailable", ids(turn), events(in), 0, ThreadJson.turn(turn));
  }

  /// About a task.
  ///
  /// @param why it cannot be done
  Reply ofTask(String outcome, TaskState.Existing task, Optional<Failure> why) {
    TaskFacts facts = task.facts();
    ObjectNode ids =
        JsonNodeFactory.instance
            .objectNode()
            .put("session_id", facts.terms().sessionId())
            .put("task_id", facts.task().taskId());
    facts.current().ifPresent(run -> ids.put("run_id", run.runId()));
    ObjectNode result = TaskJson.of(task);
    why.ifPresent(
        failure ->
            result
                .putObject("unavailable")
                .put("code", failure.code())
                .put("message", failure.message()));
    return reply(
        outcome, ids, "/v1/tasks/" + facts.task().taskId() + "/events", task.sequence(), result);
  }

  /// About a thread.
  Reply ofThread(String outcome, ThreadTurns.In in, long sequence) {
    ObjectNode ids =
        JsonNodeFactory.instance
            .objectNode()
            .put("session_id", in.sessionId())
            .put("thread_id", in.thread().id());
    return reply(outcome, ids, events(in), sequence, null);
  }

  /// About a job, and one of its items if there is one.
  Reply ofJob(String outcome, JobState.Existing job, @Nullable Integer item, JsonNode result) {
    JobFacts facts = job.facts();
    String jobId = facts.job().jobId();
    ObjectNode ids =
        JsonNodeFactory.instance
            .objectNode()
            .put("session_id", facts.terms().sessionId())
            .put("job_id", jobId);
    if (item != null) {
      ids.put("job_item_id", String.valueOf(item));
    }
    return reply(outcome, ids, "/v1/jobs/" + jobId + "/events", facts.sequence(), result);
  }

  /// What a resource answers to a read; its refusals are those of the command.
  Reply of(Reply read) {
    if (read.problem().isPresent()) {
      return read;
    }
    try {
      JsonNode result = JsonFormat.JSON.readTree(read.body());
      ObjectNode ids = JsonNodeFactory.instance.objectNode();
      for (String name : List.of("session_id", "thread_id", "task_id")) {
        if (result.hasNonNull(name)) {
          ids.set(name, result.get(name));
        }
      }
      if (result.has("sessionId")) {
        ids.set("session_id", result.get("sessionId"));
      }
      return reply("done", ids, null, 0, result);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  Reply unavailable() {
    return reply("unavailable", JsonNodeFactory.instance.objectNode(), null, 0, null);
  }

  /// A problem with a member of the params.
  static Problem inParams(Problem problem) {
    return new Problem(
        problem.code(),
        problem.detail(),
        problem.pointers().stream().map(pointer -> "/params" + pointer).toList(),
        problem.reached());
  }

  private static String events(ThreadTurns.In in) {
    return "/v1/threads/" + in.thread().id() + "/events";
  }

  private static ObjectNode ids(RunState.Existing run) {
    TurnIds turn = run.facts().request().turnOf(run.facts().run());
    return JsonNodeFactory.instance
        .objectNode()
        .put("session_id", turn.sessionId())
        .put("thread_id", turn.threadId())
        .put("turn_id", turn.turnId())
        .put("run_id", run.facts().run().runId());
  }

  private Reply reply(
      String outcome,
      ObjectNode ids,
      @Nullable String stream,
      long sequence,
      @Nullable JsonNode result) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("command", command).put("outcome", outcome);
    json.set("ids", ids);
    json.put("stream", stream).put("sequence", sequence);
    json.set("result", result);
    return Reply.json(200, json);
  }
}
