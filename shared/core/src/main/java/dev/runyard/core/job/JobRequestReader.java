package dev.runyard.core.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.FirstChunk;
import dev.runyard.core.submit.RunRequestReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads what a job is created with, and what is added to one. Each item is read as the submit that
/// it becomes: the request that all have in common, in which the item's own members replace those
/// of the same name. The first mistake is reported, at its place in the body.
public final class JobRequestReader {
  static final String REQUEST = "request";
  static final String ITEMS = "items";
  private static final String RETRY = "retry";
  private static final Set<String> MEMBERS =
      Set.of(
          "job_id",
          "session_id",
          "task_id",
          REQUEST,
          ITEMS,
          "concurrency",
          RETRY,
          "max_runtime_seconds",
          "max_tokens",
          "max_cost_usd",
          "on_failed");

  private final RunRequestReader requests;
  private final Check check;

  /// Looks at what a request names outside of the log.
  @FunctionalInterface
  public interface Check {
    /// Why the request cannot become a run of the tenant.
    Optional<Problem> refusal(String tenant, RunRequest request);
  }

  public JobRequestReader(RunRequestReader requests, Check check) {
    this.requests = requests;
    this.check = check;
  }

  /// What the body turned out to be.
  public sealed interface Result<T> {
    record Accepted<T>(T value) implements Result<T> {}

    record Rejected<T>(Problem problem) implements Result<T> {}
  }

  /// Reads the body with which a job is created.
  public Result<JobRequest> create(String tenant, ObjectNode body) {
    JsonFields members = JsonFields.of(body, MEMBERS);
    Optional<String> jobId = members.text("job_id");
    if (jobId.filter(id -> !JobKey.isJobId(id)).isPresent()) {
      members.refuse("job_id", "job_id must match ^[A-Za-z0-9._-]{1,128}$ and not be . or ..");
    }
    JobTerms terms = terms(members);
    if (jobId.filter(terms.sessionId()::equals).isPresent()) {
      members.refuse(
          "session_id",
          "session_id must differ from job_id, which stands for no session. Name another, or none");
    }
    ObjectNode common = common(body, members);
    List<ObjectNode> items = items(body, members, 0);
    Optional<Problem> refusal =
        members.problem().or(() -> refusal(tenant, common, items.isEmpty()));
    if (refusal.isPresent()) {
      return new Result.Rejected<>(refusal.get());
    }
    return switch (read(tenant, common, items, Pointer.of(REQUEST))) {
      case Result.Rejected<List<RunRequest>> no -> new Result.Rejected<>(no.problem());
      case Result.Accepted<List<RunRequest>> yes ->
          new Result.Accepted<>(new JobRequest(jobId, terms, common, yes.value()));
    };
  }

  /// Reads the body with which items are added.
  ///
  /// @param common what the job's items have in common
  public Result<List<RunRequest>> add(String tenant, ObjectNode common, ObjectNode body) {
    JsonFields members = JsonFields.of(body, Set.of(ITEMS));
    List<ObjectNode> items = items(body, members, 1);
    return members
        .problem()
        .<Result<List<RunRequest>>>map(Result.Rejected::new)
        .orElseGet(() -> read(tenant, common, items, ""));
  }

  private static JobTerms terms(JsonFields members) {
    Optional<String> session = members.text("session_id");
    if (session.filter(id -> !RunRequestReader.isSessionId(id)).isPresent()) {
      members.refuse(
          "session_id",
          "session_id must match ^[A-Za-z0-9][A-Za-z0-9._-]*$ and have at most %d characters"
              .formatted(Limits.SESSION_ID_BYTES_MAX));
    }
    Optional<String> task = members.text("task_id");
    if (task.filter(id -> !JobKey.isJobId(id)).isPresent()) {
      members.refuse("task_id", "task_id must match ^[A-Za-z0-9._-]{1,128}$ and not be . or ..");
    }
    Optional<String> word = members.text("on_failed");
    Optional<OnFailed> onFailed = word.flatMap(OnFailed::of);
    if (word.isPresent() && onFailed.isEmpty()) {
      members.refuse("on_failed", "on_failed must be hold or finish");
    }
    OptionalLong seconds =
        members.optionalWhole("max_runtime_seconds", 1, JobLimits.JOB_SECONDS_MAX);
    OptionalLong tokens = members.optionalWhole("max_tokens", 1, Limits.TOKENS_MAX);
    OptionalDouble cost = members.optionalPositive("max_cost_usd", Limits.COST_USD_MAX);
    return new JobTerms(
        session.orElse(""),
        members.whole("concurrency", 1, JobLimits.CONCURRENCY_MAX, JobLimits.CONCURRENCY_DEFAULT),
        onFailed.orElse(OnFailed.HOLD),
        seconds.isPresent() ? Integer.valueOf((int) seconds.getAsLong()) : null,
        tokens.isPresent() ? Long.valueOf(tokens.getAsLong()) : null,
        cost.isPresent() ? Double.valueOf(cost.getAsDouble()) : null,
        "",
        task.orElse(null),
        null);
  }

  /// The request, with the job's retry policy unless it has one of its own.
  private static ObjectNode common(ObjectNode body, JsonFields members) {
    if (!members.has(REQUEST)) {
      members.refuse(REQUEST, "request is required");
    }
    var _ = members.object(REQUEST);
    var _ = members.object(RETRY);
    ObjectNode request =
        body.path(REQUEST) instanceof ObjectNode given
            ? given.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    if (members.has(RETRY) && !request.hasNonNull(RETRY)) {
      request.set(RETRY, body.get(RETRY));
    }
    return request;
  }

  /// Why this cannot be what items have in common. Where there are items, each is read with it.
  private Optional<Problem> refusal(String tenant, ObjectNode common, boolean alone) {
    if (!ItemRequests.fits(common)) {
      return Optional.of(
          Problem.at(
              ProblemCode.BODY_TOO_LARGE,
              Pointer.of(REQUEST),
              "The request has more than %d bytes when compressed. Shorten what items have in common."
                  .formatted(FirstChunk.REQUEST_BYTES_MAX)));
    }
    if (!alone) {
      return Optional.empty();
    }
    return requests
        .readPart(common)
        .flatMap(
            part ->
                switch (part) {
                  case RunRequestReader.Result.Rejected rejected -> Optional.of(rejected.problem());
                  case RunRequestReader.Result.Accepted accepted ->
                      check.refusal(tenant, accepted.request());
                })
        .or(() -> ownTurn(common))
        .map(problem -> problem.under(Pointer.of(REQUEST)));
  }

  private static List<ObjectNode> items(ObjectNode body, JsonFields members, int least) {
    JsonNode list = body.path(ITEMS);
    List<ObjectNode> items = new ArrayList<>();
    if (!members.has(ITEMS) && least == 0) {
      return items;
    }
    if (!list.isArray() || list.size() < least || list.size() > JobLimits.ITEMS_ADDED_MAX) {
      members.refuse(
          ITEMS,
          "items must be a list of %d to %d objects".formatted(least, JobLimits.ITEMS_ADDED_MAX));
      return items;
    }
    for (JsonNode item : list) {
      if (!(item instanceof ObjectNode object)) {
        members.refuseItem(ITEMS, items.size(), "Each of items must be an object");
        return items;
      }
      items.add(object);
    }
    return items;
  }

  private Result<List<RunRequest>> read(
      String tenant, ObjectNode common, List<ObjectNode> items, String shared) {
    if ((long) common.toString().length() * items.size() > JobLimits.CHECKED_CHARS_MAX) {
      return new Result.Rejected<>(
          Problem.at(
              ProblemCode.BODY_TOO_LARGE,
              Pointer.of(ITEMS),
              "The items and what they have in common have more than %d characters. Add fewer at once."
                  .formatted(JobLimits.CHECKED_CHARS_MAX)));
    }
    List<RunRequest> read = new ArrayList<>();
    Map<RunRequest, Optional<Problem>> looked = new HashMap<>();
    for (int index = 0; index < items.size(); index++) {
      ObjectNode item = items.get(index);
      ObjectNode whole = common.deepCopy();
      whole.setAll(item);
      Problem problem =
          switch (requests.read(whole)) {
            case RunRequestReader.Result.Rejected rejected -> rejected.problem();
            case RunRequestReader.Result.Accepted accepted -> {
              read.add(accepted.request());
              yield ownTurn(whole)
                  .or(
                      () ->
                          looked.computeIfAbsent(
                              outside(accepted.request()),
                              _ -> check.refusal(tenant, accepted.request())))
                  .orElse(null);
            }
          };
      if (problem != null) {
        return new Result.Rejected<>(at(problem, item, index, shared));
      }
    }
    return new Result.Accepted<>(read);
  }

  /// Why an item may not say which turn it is: it has several runs if it is tried again, and waits
  /// for its place in the job.
  private static Optional<Problem> ownTurn(ObjectNode request) {
    return Stream.of("thread_id", "turn_id", "busy", "task_id")
        .filter(request::hasNonNull)
        .findFirst()
        .map(
            member ->
                Problem.at(
                    ProblemCode.INVALID_REQUEST,
                    Pointer.of(member),
                    member
                        + " is for a run that is submitted alone. A job says when its items run."));
  }

  /// What a check may depend on: not the prompt, which mostly differs.
  private static RunRequest outside(RunRequest request) {
    return request.turn("", List.of());
  }

  /// The problem at its place: in the item if it has the member, or if what all have in common is
  /// not in the body; else in that.
  private static Problem at(Problem problem, ObjectNode item, int index, String shared) {
    String place = Pointer.of(ITEMS, String.valueOf(index));
    List<String> pointers =
        problem.pointers().stream()
            .map(
                pointer ->
                    (shared.isEmpty() || item.has(member(pointer)) ? place : shared) + pointer)
            .toList();
    return new Problem(
        problem.code(),
        "Item %d of this request: %s".formatted(index + 1, problem.detail()),
        pointers.isEmpty() ? List.of(place) : pointers,
        problem.reached());
  }

  private static String member(String pointer) {
    String first = pointer.substring(1).split("/", 2)[0];
    return first.replace("~1", "/").replace("~0", "~");
  }

  /// A refusal that names the member of a body.
  static Problem invalid(@Nullable String member, String detail) {
    return member == null
        ? Problem.of(ProblemCode.INVALID_REQUEST, detail)
        : Problem.at(ProblemCode.INVALID_REQUEST, Pointer.of(member), detail);
  }
}
