package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.job.ItemStatus;
import dev.runyard.core.job.JobJson;
import dev.runyard.core.job.JobLimits;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.ListItems;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.job.ReportReader;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.http.IdempotencyKey;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Jobs and their items. A job is read from its log; a list of jobs, and what is said of an item's
/// run, come from the read models and may lag behind.
final class JobsApi implements Resources<Endpoint> {
  private static final String PATH = "/v1/jobs";
  private static final int LIST_DEFAULT = 50;
  private static final Pattern ITEM = Pattern.compile("[1-9][0-9]{0,5}");

  private final ManageJobs jobs;
  private final JobRequestReader reader;
  private final ListItems items;
  private final JobModels models;

  JobsApi(ManageJobs jobs, JobRequestReader reader, ListItems items, JobModels models) {
    this.jobs = jobs;
    this.reader = reader;
    this.items = items;
    this.models = models;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, PATH, Endpoint.plain(this::create)),
        Route.get(Scope.RUNS_READ, PATH, this::list),
        Route.get(Scope.RUNS_READ, PATH + "/{id}", Endpoint.plain(this::get)),
        Route.post(Scope.RUNS_WRITE, PATH + "/{id}/items", Endpoint.plain(this::add)),
        Route.get(Scope.RUNS_READ, PATH + "/{id}/items", this::items),
        Route.post(Scope.RUNS_WRITE, PATH + "/{id}/start", Endpoint.plain(this::start)),
        Route.post(Scope.RUNS_WRITE, PATH + "/{id}/cancel", Endpoint.plain(this::cancel)),
        Route.post(
            Scope.RUNS_WRITE, PATH + "/{id}/items/{item}/retry", Endpoint.plain(this::retry)),
        Route.post(
            Scope.RUNS_WRITE, PATH + "/{id}/items/{item}/report", Endpoint.plain(this::report)));
  }

  private Reply create(ApiRequest request) {
    return withBody(
        request,
        (body, key) ->
            switch (jobs.create(by(request), reader, body, key)) {
              case ManageJobs.Result.Rejected rejected -> Reply.of(rejected.problem());
              case ManageJobs.Result.Done done ->
                  Reply.json(202, JobJson.of(done.job()))
                      .with("Location", request.url() + "/" + done.job().facts().job().jobId());
            });
  }

  private Reply add(ApiRequest request) {
    return withBody(
        request,
        (body, key) -> reply(jobs.add(by(request), request.named("id"), reader, body, key)));
  }

  private interface Keyed {
    Reply answer(ObjectNode body, Optional<String> key);
  }

  private static Reply withBody(ApiRequest request, Keyed answer) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (JsonBody.read(request.bytes())) {
      case JsonBody.Result.Rejected rejected -> Reply.of(rejected.problem());
      case JsonBody.Result.Read read ->
          IdempotencyKey.with(request, key -> answer.answer(read.object(), key), Reply::of);
    };
  }

  private Reply get(ApiRequest request) {
    return ofJob(
        request, job -> Reply.json(200, JobJson.of(job)).with("Runyard-Consistency", "strong"));
  }

  private Reply list(ApiRequest request) {
    Query query = request.query("limit", "cursor");
    int limit = (int) query.whole("limit", 1, JobLimits.JOBS_LISTED_MAX, LIST_DEFAULT);
    return query.problem().isPresent()
        ? Reply.of(query.problem().get())
        : list(request.caller().tenant(), limit, query.text("cursor"));
  }

  /// A page of a tenant's jobs.
  Reply list(String tenant, int limit, Optional<String> cursor) {
    return PlaceCursor.page(
        "jobs", cursor, after -> JobModels.KIND.page(models, tenant, limit, after), JobJson::of);
  }

  private Reply items(ApiRequest request) {
    Query query = request.query("status", "limit", "from");
    int limit = (int) query.whole("limit", 1, JobLimits.ITEMS_LISTED_MAX, LIST_DEFAULT);
    int from = (int) query.whole("from", 1, JobLimits.ITEMS_MAX, 1);
    Optional<ItemStatus> status = query.text("status").flatMap(ItemStatus::of);
    if (query.text("status").isPresent() && status.isEmpty()) {
      query.refuse(
          ProblemCode.INVALID_REQUEST,
          "status must be one of: pending | running | completed | failed | reported.");
    }
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    return ofJob(request, job -> page(job, status, from, limit));
  }

  private Reply page(JobState.Existing job, Optional<ItemStatus> status, int from, int limit) {
    ListItems.Page page = items.page(job, status, from, limit);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    page.items().stream()
        .map(item -> JobJson.item(job, item.number(), item.row()))
        .forEach(json.putArray("items")::add);
    json.put("next_from", page.next().orElse(null));
    return Reply.json(200, json).with("Runyard-Consistency", "eventual");
  }

  private Reply start(ApiRequest request) {
    return request.body().isPresent()
        ? Reply.of(ProblemCode.INVALID_REQUEST, "This takes no body.")
        : IdempotencyKey.with(
            request, key -> reply(jobs.start(by(request), request.named("id"), key)), Reply::of);
  }

  private Reply cancel(ApiRequest request) {
    if (request.body().isPresent() && !request.isJson()) {
      return Reply.notJson();
    }
    return switch (CancelRequestReader.read(request.bytes())) {
      case CancelRequestReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case CancelRequestReader.Result.Accepted accepted ->
          IdempotencyKey.with(
              request,
              key -> reply(jobs.cancel(by(request), request.named("id"), accepted.reason(), key)),
              Reply::of);
    };
  }

  private Reply retry(ApiRequest request) {
    return request.body().isPresent()
        ? Reply.of(ProblemCode.INVALID_REQUEST, "This takes no body.")
        : ofItem(request, (item, key) -> jobs.retry(by(request), request.named("id"), item, key));
  }

  private Reply report(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (ReportReader.read(request.bytes())) {
      case ReportReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case ReportReader.Result.Accepted accepted ->
          ofItem(
              request,
              (item, key) ->
                  jobs.report(by(request), request.named("id"), item, accepted.note(), key));
    };
  }

  private interface OfItem {
    ManageJobs.Result done(int item, Optional<String> key);
  }

  private static Reply ofItem(ApiRequest request, OfItem doing) {
    String item = request.named("item");
    return ITEM.matcher(item).matches()
        ? IdempotencyKey.with(
            request, key -> reply(doing.done(Integer.parseInt(item), key)), Reply::of)
        : Reply.of(ProblemCode.ITEM_NOT_FOUND, "Items are numbered from 1 on.");
  }

  private Reply ofJob(ApiRequest request, Function<JobState.Existing, Reply> answer) {
    return jobs.find(request.caller().tenant(), request.named("id"))
        .map(answer)
        .orElseGet(() -> Reply.of(ManageJobs.notFound()));
  }

  private static SubmitRun.By by(ApiRequest request) {
    return new SubmitRun.By(request.caller().tenant(), request.caller().requester());
  }

  private static Reply reply(ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Rejected rejected -> Reply.of(rejected.problem());
      case ManageJobs.Result.Done done -> Reply.json(202, JobJson.of(done.job()));
    };
  }
}
