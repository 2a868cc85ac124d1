package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadOrigin;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sessions, threads and queues as `/v1` shows them.
public final class ThreadJson {
  private ThreadJson() {}

  /// A thread and what is in its order; what was before is added by [#turns].
  public static ObjectNode of(ReadThread.Now thread) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("thread_id", thread.in().thread().id());
    json.put("session_id", thread.in().sessionId());
    json.put("status", status(thread));
    json.set("turn", thread.current().map(ThreadJson::turn).orElse(null));
    ArrayNode queue = json.putArray("queue");
    for (QueuedTurn turn : thread.waiting()) {
      queue
          .addObject()
          .put("position", queue.size())
          .put("turn_id", turn.turnId())
          .put("run_id", turn.runId());
    }
    json.put("sequence", thread.sequence());
    return json;
  }

  /// The whole order of a thread: the turn that it has first.
  public static ObjectNode order(ThreadTurns.In in, List<QueuedTurn> turns) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("thread_id", in.thread().id());
    json.put("session_id", in.sessionId());
    ArrayNode order = json.putArray("turns");
    for (QueuedTurn turn : turns) {
      order.addObject().put("turn_id", turn.turnId()).put("run_id", turn.runId());
    }
    return json;
  }

  /// The turn that a thread goes on from, and the runs of those that are undone.
  public static ObjectNode base(ThreadTurns.In in, RunState.Existing turn, ThreadOrigin from) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("thread_id", in.thread().id());
    json.put("session_id", in.sessionId());
    json.set("turn", turn(turn));
    from.undone().forEach(json.putArray("undone")::add);
    return json;
  }

  /// Runs as turns, newest first, and the cursor of the next page.
  public static void turns(ObjectNode json, List<RunState.Existing> runs, @Nullable String next) {
    runs.stream().map(ThreadJson::turn).forEach(json.putArray("turns")::add);
    json.put("next_cursor", next);
  }

  /// A session with its threads; its turns are added by [#turns].
  public static ObjectNode session(String sessionId, List<ReadThread.Now> threads) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("session_id", sessionId);
    threads.stream().map(ThreadJson::of).forEach(json.putArray("threads")::add);
    return json;
  }

  /// What a list of turns shows of a run.
  public static ObjectNode turn(RunState.Existing run) {
    TurnIds turn = run.facts().request().turnOf(run.facts().run());
    return JsonNodeFactory.instance
        .objectNode()
        .put("turn_id", turn.turnId())
        .put("thread_id", turn.threadId())
        .put("run_id", run.facts().run().runId())
        .put("status", run.status().wire())
        .put("phase", run.phase());
  }

  /// The status of a thread in the standard's words.
  static String status(ReadThread.Now thread) {
    Optional<RunState.Existing> current = thread.current();
    if (current.isEmpty()) {
      return "idle";
    }
    return switch (current.get()) {
      case RunState.Created _ -> "queued";
      case RunState.Existing run when run.facts().interactions().awaiting() -> "blocked";
      case RunState.Existing _ -> "running";
    };
  }
}
