package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.thread.ThreadKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads what tasks are created and changed with, and makes the requests of their runs. The first
/// mistake is reported, at its place in the body.
public final class TaskRequestReader {
  static final String REQUEST = "request";
  private static final Set<String> TERMS =
      Set.of(
          "title",
          "objective",
          "task_kind",
          "task_family",
          "visibility",
          "priority",
          "owner",
          "assignee",
          "scope",
          "constraints",
          "acceptance",
          "remote",
          "draft",
          REQUEST);
  private static final Set<String> MEMBERS =
      Stream.concat(
              TERMS.stream(), Stream.of("task_id", "parent_task_id", "session_id", "thread_id"))
          .collect(Collectors.toUnmodifiableSet());

  /// What says where a task is, which stays.
  private static final List<String> PLACES = List.of("session_id", "thread_id");

  /// Room in a chunk for what a task is besides its request.
  private static final int TERMS_BYTES_MAX = 32 * 1024;

  /// Most bytes of a request as it is stored.
  private static final int REQUEST_BYTES_MAX = Chunk.CHUNK_BYTES_MAX - TERMS_BYTES_MAX;

  private static final TaskKey PLACE = new TaskKey("default", "none");

  /// What a request says that is for one run alone.
  private static final List<String> FOR_ONE_RUN = List.of("task_id", "turn_id", "busy");

  private final RunRequestReader requests;
  private final SubmitRun.Check check;

  /// @param check looks at what requests name
  public TaskRequestReader(RunRequestReader requests, SubmitRun.Check check) {
    this.requests = requests;
    this.check = check;
  }

  /// What the body turned out to be.
  sealed interface Result<T> {
    record Accepted<T>(T value) implements Result<T> {}

    record Rejected<T>(Problem problem) implements Result<T> {}

    default <R> R map(Function<T, R> accepted, Function<Problem, R> rejected) {
      return switch (this) {
        case Accepted<T> yes -> accepted.apply(yes.value());
        case Rejected<T> no -> rejected.apply(no.problem());
      };
    }
  }

  /// Reads the body with which a task is created.
  Result<NewTask> create(String tenant, ObjectNode body) {
    JsonFields members = JsonFields.of(body, MEMBERS);
    Optional<String> taskId = id(members, "task_id");
    Optional<String> parent = id(members, "parent_task_id");
    TaskTerms terms = terms(members, false, "");
    boolean draft = members.flag("draft");
    Optional<ObjectNode> request = request(members, body);
    NewTask read = new NewTask(taskId, parent, terms, request.orElse(null), draft);
    return checked(members, tenant, request, terms, read);
  }

  /// Reads the body with which a task is changed: what it does not name stays.
  ///
  /// @param was the task as it is
  Result<NewTask> update(TaskFacts was, ObjectNode body) {
    ObjectNode whole = TaskTermsJson.of(was.terms());
    whole.put("draft", was.draft());
    whole.setAll(body);
    PLACES.forEach(whole::remove);
    JsonFields given = JsonFields.of(body, TERMS);
    JsonFields members = JsonFields.of(whole, MEMBERS);
    TaskTerms terms =
        terms(members, was.terms().named(), was.terms().fingerprint()).at(was.terms());
    boolean draft = members.flag("draft");
    Optional<ObjectNode> request = request(given, body);
    NewTask read =
        new NewTask(Optional.empty(), Optional.empty(), terms, request.orElse(null), draft);
    return given.problem().isPresent()
        ? new Result.Rejected<>(given.problem().get())
        : checked(members, was.task().tenant(), request, terms, read);
  }

  private Result<NewTask> checked(
      JsonFields members,
      String tenant,
      Optional<ObjectNode> request,
      TaskTerms terms,
      NewTask read) {
    Optional<Problem> problem =
        members
            .problem()
            .or(() -> request.flatMap(given -> problem(tenant, whole(terms, given, null))));
    return problem
        .<Result<NewTask>>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Accepted<>(read));
  }

  /// Why no run can ask for that.
  private Optional<Problem> problem(String tenant, ObjectNode whole) {
    return run(tenant, whole).map(_ -> Optional.empty(), Optional::of);
  }

  /// The request of a run of the task.
  ///
  /// @param given as the task has it; null if it has none
  /// @param other members that replace those of the same name
  Result<RunRequest> run(TaskFacts task, @Nullable ObjectNode given, @Nullable ObjectNode other) {
    return run(task.task().tenant(), whole(task.terms(), given, other));
  }

  private Result<RunRequest> run(String tenant, ObjectNode whole) {
    for (String name : FOR_ONE_RUN) {
      if (whole.hasNonNull(name)) {
        return new Result.Rejected<>(
            Problem.at(
                ProblemCode.INVALID_REQUEST,
                Pointer.of(REQUEST, name),
                name + " is for one run. Submit a run with task_id for that."));
      }
    }
    return switch (requests.read(whole)) {
      case RunRequestReader.Result.Rejected rejected ->
          new Result.Rejected<>(inRequest(rejected.problem()));
      case RunRequestReader.Result.Accepted accepted ->
          tooLarge(accepted)
              .or(() -> check.refusal(tenant, accepted.request()))
              .<Result<RunRequest>>map(problem -> new Result.Rejected<>(inRequest(problem)))
              .orElseGet(() -> new Result.Accepted<>(accepted.request()));
    };
  }

  /// What a task asks for is stored beside what it is, and so has less room than a run's.
  private static Optional<Problem> tooLarge(RunRequestReader.Result.Accepted accepted) {
    StoredTaskEvent one =
        new StoredTaskEvent(
            PLACE,
            "",
            1,
            Instant.EPOCH,
            new TaskEvent.AttemptStarted(1, "", null, accepted.request()),
            null);
    return ChunkBody.of(TaskCodec.TASKS, List.of(one)).bytes().length > REQUEST_BYTES_MAX
        ? Optional.of(
            Problem.of(
                ProblemCode.BODY_TOO_LARGE,
                "The request has more than %d bytes when compressed. Shorten the prompt or env."
                    .formatted(REQUEST_BYTES_MAX)))
        : Optional.empty();
  }

  /// The request with the task's session and thread, and with its objective or title for a prompt.
  private static ObjectNode whole(
      TaskTerms terms, @Nullable ObjectNode given, @Nullable ObjectNode other) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    if (given != null) {
      whole.setAll(given.deepCopy());
    }
    if (other != null) {
      whole.setAll(other.deepCopy());
    }
    if (!whole.has("prompt")) {
      whole.put("prompt", terms.objective() == null ? terms.title() : terms.objective());
    }
    boolean placed = whole.hasNonNull("session_id") || whole.hasNonNull("thread_id");
    if (!placed && terms.named()) {
      whole.put("session_id", terms.sessionId());
    }
    if (!placed && terms.threadId() != null) {
      whole.put("thread_id", terms.threadId());
    }
    return whole;
  }

  private static Problem inRequest(Problem problem) {
    return new Problem(
        problem.code(),
        problem.detail(),
        problem.pointers().stream().map(pointer -> Pointer.of(REQUEST) + pointer).toList(),
        problem.reached());
  }

  private static Optional<String> id(JsonFields members, String name) {
    Optional<String> id = members.text(name);
    if (id.filter(text -> !TaskKey.isTaskId(text)).isPresent()) {
      members.refuse(
          name,
          "%s must match ^[A-Za-z0-9._-]{1,128}$, and be neither . nor .. nor the name of a run's own task"
              .formatted(name));
    }
    return id;
  }

  private static Optional<ObjectNode> request(JsonFields members, ObjectNode body) {
    if (!members.has(REQUEST)) {
      return Optional.empty();
    }
    var _ = members.object(REQUEST);
    return body.path(REQUEST) instanceof ObjectNode given ? Optional.of(given) : Optional.empty();
  }

  private static TaskTerms terms(JsonFields members, boolean named, String fingerprint) {
    String title = members.requiredText("title");
    if (title.isBlank() || Bounds.bytes(title) > TaskLimits.NAME_BYTES_MAX) {
      members.refuse(
          "title",
          "title must not be blank and must have at most %d bytes"
              .formatted(TaskLimits.NAME_BYTES_MAX));
    }
    int priority =
        (int)
            members
                .optionalWhole("priority", -TaskLimits.PRIORITY_MAX, TaskLimits.PRIORITY_MAX)
                .orElse(0);
    return new TaskTerms(
        title,
        text(members, "objective", TaskLimits.TEXT_BYTES_MAX),
        text(members, "task_kind", TaskLimits.NAME_BYTES_MAX),
        text(members, "task_family", TaskLimits.NAME_BYTES_MAX),
        word(members, "visibility", Visibility::of, "foreground | background | internal | hidden")
            .orElse(Visibility.FOREGROUND),
        priority,
        text(members, "owner", TaskLimits.NAME_BYTES_MAX),
        text(members, "assignee", TaskLimits.NAME_BYTES_MAX),
        text(members, "scope", TaskLimits.TEXT_BYTES_MAX),
        constraints(members),
        word(members, "acceptance", Acceptance::of, "run | manual").orElse(Acceptance.RUN),
        session(members),
        thread(members),
        remote(members),
        named,
        fingerprint);
  }

  private static <T> Optional<T> word(
      JsonFields members, String name, Function<String, Optional<T>> of, String words) {
    Optional<String> given = members.text(name);
    Optional<T> word = given.flatMap(of);
    if (given.isPresent() && word.isEmpty()) {
      members.refuse(name, "%s must be one of: %s".formatted(name, words));
    }
    return word;
  }

  static @Nullable String text(JsonFields members, String name, int bytesMax) {
    Optional<String> text = members.text(name);
    if (text.filter(it -> it.isBlank() || Bounds.bytes(it) > bytesMax).isPresent()) {
      members.refuse(
          name, "%s must not be blank and must have at most %d bytes".formatted(name, bytesMax));
    }
    return text.orElse(null);
  }

  private static List<String> constraints(JsonFields members) {
    List<String> read =
        new ArrayList<>(
            members.has("constraints")
                ? members.texts("constraints", TaskLimits.CONSTRAINTS_MAX)
                : List.of());
    for (int i = 0; i < read.size(); i++) {
      if (Bounds.bytes(read.get(i)) > TaskLimits.NAME_BYTES_MAX) {
        members.refuseItem(
            "constraints",
            i,
            "A constraint must have at most %d bytes".formatted(TaskLimits.NAME_BYTES_MAX));
      }
    }
    return read;
  }

  private static String session(JsonFields members) {
    Optional<String> session = members.text("session_id");
    if (session.filter(id -> !RunRequestReader.isSessionId(id)).isPresent()) {
      members.refuse(
          "session_id",
          "session_id must match ^[A-Za-z0-9][A-Za-z0-9._-]*$ and have at most %d characters"
              .formatted(Limits.SESSION_ID_BYTES_MAX));
    }
    return session.orElse("");
  }

  private static @Nullable String thread(JsonFields members) {
    Optional<String> thread = members.text("thread_id");
    if (thread.filter(id -> !ThreadKey.isThreadId(id)).isPresent()) {
      members.refuse(
          "thread_id",
          "thread_id must match ^[A-Za-z0-9][A-Za-z0-9._-]*$ and have at most %d characters"
              .formatted(ThreadKey.ID_BYTES_MAX));
    }
    return thread.orElse(null);
  }

  private static @Nullable RemoteTask remote(JsonFields members) {
    if (!members.has("remote")) {
      return null;
    }
    JsonFields remote =
        members.object("remote", Set.of("protocol", "task_id", "context_id", "native_status"));
    String protocol = remote.has("protocol") ? remote.requiredText("protocol") : "a2a";
    RemoteTask read =
        new RemoteTask(
            protocol,
            remote.requiredText("task_id"),
            text(remote, "context_id", TaskLimits.NAME_BYTES_MAX),
            text(remote, "native_status", TaskLimits.NAME_BYTES_MAX));
    if (read.taskId().isBlank() || Bounds.bytes(read.taskId()) > TaskLimits.NAME_BYTES_MAX) {
      remote.refuse(
          "task_id",
          "task_id must not be blank and must have at most %d bytes"
              .formatted(TaskLimits.NAME_BYTES_MAX));
    }
    if (protocol.isBlank() || Bounds.bytes(protocol) > TaskLimits.NAME_BYTES_MAX) {
      remote.refuse(
          "protocol",
          "protocol must not be blank and must have at most %d bytes"
              .formatted(TaskLimits.NAME_BYTES_MAX));
    }
    return read;
  }
}
