package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.action.DecisionReader;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.MessageBodyReader;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.view.ActionJson;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import java.util.Optional;

/// What people say to a run while it runs: messages to its agent, and decisions on its actions.
public final class TalkApi {
  private static final String BY = "client";

  private final String tenant;
  private final SendMessage send;
  private final ResolveAction resolve;
  private final RunLog runs;

  public TalkApi(String tenant, SendMessage send, ResolveAction resolve, RunLog runs) {
    this.tenant = tenant;
    this.send = send;
    this.resolve = resolve;
    this.runs = runs;
  }

  Reply send(ApiRequest request, String id) {
    if (!RunKey.isRunId(id)) {
      return Reply.runNotFound();
    }
    if (!request.isJson()) {
      return RunsApi.notJson();
    }
    return switch (MessageBodyReader.read(request.body().orElse(new byte[0]))) {
      case MessageBodyReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case MessageBodyReader.Result.Accepted accepted -> {
        String header = request.header("Idempotency-Key");
        yield header == null
            ? send(id, accepted.content(), Optional.empty())
            : switch (IdempotencyHeader.read(header)) {
              case IdempotencyHeader.Result.Rejected rejected -> Reply.of(rejected.problem());
              case IdempotencyHeader.Result.Read read ->
                  send(id, accepted.content(), Optional.of(read.key()));
            };
      }
    };
  }

  private Reply send(String id, String content, Optional<String> key) {
    return switch (send.send(new RunKey(tenant, id), content, key)) {
      case SendMessage.Result.Rejected rejected -> Reply.of(rejected.problem());
      case SendMessage.Result.Accepted done ->
          Reply.json(
              202,
              JsonNodeFactory.instance
                  .objectNode()
                  .put("message_id", done.message().messageId())
                  .put("sequence", done.message().sequence()));
    };
  }

  Reply actions(ApiRequest request, String id) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    if (!RunKey.isRunId(id)) {
      return Reply.runNotFound();
    }
    return switch (runs.load(new RunKey(tenant, id))) {
      case RunState.Absent _ -> Reply.runNotFound();
      case RunState.Existing run -> {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        run.facts().interactions().actions().stream()
            .map(ActionJson::of)
            .forEach(json.putArray("actions")::add);
        yield Reply.json(200, json);
      }
    };
  }

  Reply decide(ApiRequest request, String actionId) {
    Optional<String> run = ActionId.runId(actionId);
    if (run.isEmpty()) {
      return Reply.of(ProblemCode.ACTION_NOT_FOUND, "There is no action with this id.");
    }
    if (!request.isJson()) {
      return RunsApi.notJson();
    }
    return switch (DecisionReader.read(request.body().orElse(new byte[0]))) {
      case DecisionReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case DecisionReader.Result.Accepted accepted ->
          switch (resolve.resolve(
              new RunKey(tenant, run.get()),
              actionId,
              accepted.decision(),
              accepted.payload(),
              BY)) {
            case ResolveAction.Result.Rejected rejected -> Reply.of(rejected.problem());
            case ResolveAction.Result.Decided done -> Reply.json(200, ActionJson.of(done.action()));
          };
    };
  }
}
