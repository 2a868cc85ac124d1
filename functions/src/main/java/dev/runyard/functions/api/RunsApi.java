package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.RunJson;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The resources under `/v1/runs`. A run is read from its log and is never older than what was
/// acknowledged; a list is read from the read models and may lag behind.
public final class RunsApi {
  private static final String SUBMIT_ROUTE = "POST /v1/runs";
  private static final int LIST_DEFAULT = 50;

  /// `strong` on a run, `eventual` on a list, which may not yet show what was just acknowledged.
  private static final String CONSISTENCY = "Runyard-Consistency";

  private final String tenant;
  private final RunRequestReader reader;
  private final SubmitRun submit;
  private final CancelRun cancel;
  private final RunLog runs;
  private final ReadModels models;

  public RunsApi(
      String tenant,
      RunRequestReader reader,
      SubmitRun submit,
      CancelRun cancel,
      RunLog runs,
      ReadModels models) {
    this.tenant = tenant;
    this.reader = reader;
    this.submit = submit;
    this.cancel = cancel;
    this.runs = runs;
    this.models = models;
  }

  Reply submit(ApiRequest request) {
    if (!request.isJson()) {
      return notJson();
    }
    return switch (reader.read(request.body().orElse(new byte[0]))) {
      case RunRequestReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case RunRequestReader.Result.Accepted accepted -> {
        String header = request.header("Idempotency-Key");
        yield header == null
            ? submit(request, accepted, Optional.empty())
            : switch (IdempotencyHeader.read(header)) {
              case IdempotencyHeader.Result.Rejected rejected -> Reply.of(rejected.problem());
              case IdempotencyHeader.Result.Read read ->
                  submit(
                      request,
                      accepted,
                      Optional.of(
                          new SubmitRun.Key(
                              read.key(),
                              IdempotencyHeader.fingerprint(
                                  tenant, SUBMIT_ROUTE, accepted.body()))));
            };
      }
    };
  }

  Reply list(ApiRequest request) {
    Query query = request.query("status", "agent", "session_id", "limit", "cursor");
    RunFilter filter =
        new RunFilter(
            query.text("status").orElse(null),
            query.text("agent").orElse(null),
            query.text("session_id").orElse(null));
    check(query, filter);
    int limit = (int) query.whole("limit", 1, ReadModels.LIST_MAX, LIST_DEFAULT);
    Optional<String> after =
        query.text("cursor").flatMap(cursor -> ListCursor.decode(tenant, filter, cursor));
    if (query.text("cursor").isPresent() && after.isEmpty()) {
      query.refuse(
          ProblemCode.INVALID_CURSOR,
          "cursor must be a next_cursor of the same list, with the same filters.");
    }
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    RunPage page = models.list(tenant, filter, limit, after);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    page.runs().stream().map(RunJson::of).forEach(json.putArray("runs")::add);
    json.put(
        "next_cursor", page.next().map(id -> ListCursor.encode(tenant, filter, id)).orElse(null));
    return Reply.json(200, json).with(CONSISTENCY, "eventual");
  }

  Reply get(ApiRequest request, String id) {
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
        String tag = "\"" + run.sequence() + "\"";
        Reply reply =
            matches(request.header("If-None-Match"), tag)
                ? Reply.empty(304)
                : Reply.json(200, RunJson.of(run));
        yield reply
            .with("ETag", tag)
            .with("Cache-Control", "private, no-cache")
            .with(CONSISTENCY, "strong");
      }
    };
  }

  Reply cancel(ApiRequest request, String id) {
    if (!RunKey.isRunId(id)) {
      return Reply.runNotFound();
    }
    if (request.body().isPresent() && !request.isJson()) {
      return notJson();
    }
    return switch (CancelRequestReader.read(request.body().orElse(new byte[0]))) {
      case CancelRequestReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case CancelRequestReader.Result.Accepted accepted ->
          switch (cancel.cancel(new RunKey(tenant, id), accepted.reason())) {
            case CancelRun.Result.Accepted done -> Reply.json(202, RunJson.of(done.run()));
            case CancelRun.Result.Rejected rejected -> Reply.of(rejected.problem());
          };
    };
  }

  private Reply submit(
      ApiRequest request, RunRequestReader.Result.Accepted accepted, Optional<SubmitRun.Key> key) {
    return switch (submit.submit(tenant, accepted.request(), key)) {
      case SubmitRun.Result.Rejected rejected -> Reply.of(rejected.problem());
      case SubmitRun.Result.Accepted done ->
          Reply.json(202, RunJson.of(done.run()))
              .with("Location", request.url() + "/" + done.run().facts().run().runId());
    };
  }

  private static void check(Query query, RunFilter filter) {
    String status = filter.status();
    if (status != null
        && Arrays.stream(RunStatus.values()).noneMatch(known -> known.wire().equals(status))) {
      query.refuse(
          ProblemCode.INVALID_REQUEST,
          "status must be one of: %s."
              .formatted(
                  String.join(
                      " | ", Arrays.stream(RunStatus.values()).map(RunStatus::wire).toList())));
    }
    if (filter.agent() != null && !AgentKind.isKind(filter.agent())) {
      query.refuse(ProblemCode.INVALID_AGENT_KIND, "invalid agent kind");
    }
    if (filter.sessionId() != null && !RunRequestReader.isSessionId(filter.sessionId())) {
      query.refuse(ProblemCode.INVALID_REQUEST, "session_id is not the id of a session.");
    }
  }

  private static boolean matches(@Nullable String header, String tag) {
    return header != null
        && Arrays.stream(header.split(",", -1))
            .map(String::strip)
            .map(given -> given.startsWith("W/") ? given.substring(2) : given)
            .anyMatch(given -> given.equals("*") || given.equals(tag));
  }

  static Reply notJson() {
    return Reply.of(
        ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send a body as application/json in UTF-8.");
  }
}
