package dev.runyard.core.view.agentapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentError;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.util.Optional;

/// The completion of a run, derived from the state in which it ended. It exists only once the
/// terminal event is in the log, which is written after the agent's process has exited and every
/// other event is stored.
public final class RunCompletion {
  /// The name of the event that shows the end.
  public static final String NAME = "completion";

  private RunCompletion() {}

  /// True for an event that ends a run.
  public static boolean isEnd(StoredEvent stored) {
    return stored.event() instanceof RunEvent.Terminal;
  }

  /// The wire form; empty until the run has ended. `error` is null for success, and with an error
  /// there is no final text. `processes_left` counts processes of the agent that could not be
  /// ended.
  public static Optional<ObjectNode> of(RunState state) {
    return state instanceof RunState.Closed closed ? Optional.of(json(closed)) : Optional.empty();
  }

  private static ObjectNode json(RunState.Closed closed) {
    RunFacts facts = closed.facts();
    AgentError error = error(closed).orElse(null);
    ObjectNode json =
        AgentApiView.placed(facts.sequence(), facts.at())
            .put("agent_kind", facts.request().agent());
    Attempt.Exit exit = attempt(closed).map(Attempt::exit).orElse(null);
    if (exit == null) {
      json.putNull("status");
    } else {
      json.putObject("status").put("code", exit.code()).put("signal", exit.signal());
    }
    String text = facts.finalText();
    json.put(
        "final_text",
        text == null || error != null ? null : Bounds.truncate(text, Limits.TEXT_BYTES_MAX));
    JsonNode data = Facets.session(facts.nativeSessionId()).orElse(null);
    json.set("data", data == null ? null : Bounds.data(data, Bounds.DATA_BYTES_MAX));
    if (error == null) {
      json.putNull("error");
    } else {
      json.putObject("error")
          .put("kind", error.kind())
          .put("message", Bounds.truncate(error.message(), Bounds.MESSAGE_BYTES_MAX))
          .put("display", Bounds.truncate(error.display(), Bounds.MESSAGE_BYTES_MAX));
    }
    return json.put("processes_left", attempt(closed).map(Attempt::processesLeft).orElse(0));
  }

  private static Optional<AgentError> error(RunState.Closed closed) {
    return switch (closed) {
      case RunState.Completed _ -> Optional.empty();
      case RunState.Failed failed -> Optional.of(AgentError.of(failed.error()));
      case RunState.Cancelled _ -> Optional.of(new AgentError.Backend("cancelled"));
    };
  }

  private static Optional<Attempt> attempt(RunState.Closed closed) {
    return switch (closed) {
      case RunState.Completed run -> Optional.of(run.attempt());
      case RunState.Failed run -> run.attempt();
      case RunState.Cancelled run -> run.attempt();
    };
  }
}
