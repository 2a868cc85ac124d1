package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerProblem;
import dev.runyard.cli.client.ServerReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/// Finds the action a person means: named by its own id, or by a run with only one pending action.
final class PendingActions {
  private final Terminal terminal;
  private final RunyardClient client;
  private final Answers answers;

  PendingActions(Terminal terminal, RunyardClient client, Answers answers) {
    this.terminal = terminal;
    this.client = client;
    this.answers = answers;
  }

  /// Continues with the action's id, or says why no single action was found.
  int one(String actionOrRun, ToIntFunction<String> next) {
    return actionOrRun.contains(".")
        ? next.applyAsInt(actionOrRun)
        : answers.on(asked(actionOrRun), body -> only(actionOrRun, body, next));
  }

  /// The actions of a run. If there is no such run, the refusal names both things a person may have
  /// meant.
  private ServerReply asked(String actionOrRun) {
    ServerReply reply = client.actions(actionOrRun);
    return reply instanceof ServerReply.Refused(ServerProblem problem)
            && problem.code().equals("run_not_found")
        ? new ServerReply.Refused(
            new ServerProblem(
                problem.status(),
                "not_found",
                "There is no action or run "
                    + actionOrRun
                    + ". './runyard actions RUN' lists the actions of a run.",
                problem.errors(),
                problem.document()))
        : reply;
  }

  /// Sends a decision and shows the action afterwards.
  int decide(String actionOrRun, String decision, JsonNode payload) {
    return one(
        actionOrRun,
        id -> {
          ServerReply reply = client.decide(id, decision, payload);
          return answers.show(reply, action -> decided(id, action));
        });
  }

  private int only(String run, JsonNode body, ToIntFunction<String> next) {
    List<String> pending = new ArrayList<>();
    for (JsonNode action : body.path("actions")) {
      if (action.path("status").asText().equals("pending")) {
        pending.add(action.path("action_id").asText());
      }
    }
    if (pending.size() == 1) {
      return next.applyAsInt(pending.getFirst());
    }
    terminal.note(
        pending.isEmpty()
            ? "runyard: run " + run + " is not waiting for a decision"
            : "runyard: run "
                + run
                + " has several pending actions; name one of: "
                + String.join(" ", pending));
    return ExitCode.FAILED;
  }

  private int decided(String id, JsonNode action) {
    terminal.line(action.path("decision").asText() + " " + id);
    return ExitCode.DONE;
  }
}
