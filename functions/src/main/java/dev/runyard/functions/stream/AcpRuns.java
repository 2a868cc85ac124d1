package dev.runyard.functions.stream;

import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.agentcommunication.AcpAnswer;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.agentcommunication.CreateRequestReader;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.agentcommunication.ResumeRequestReader;
import dev.runyard.core.agentcommunication.RunMode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Caller;
import dev.runyard.functions.http.KeyedSubmit;
import dev.runyard.functions.http.Reply;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Begins and resumes runs for clients of the Agent Communication Protocol, and decides whether the
/// client gets a response at once or waits.
final class AcpRuns {
  private static final String CREATE_ROUTE = "POST /runs";
  private static final String ANSWER = "/await_resume/message";

  private final CreateRequestReader reader;
  private final KeyedSubmit submit;
  private final ResolveAction resolve;
  private final RunLog runs;
  private final ReadRun read;

  AcpRuns(
      CreateRequestReader reader,
      SubmitRun submit,
      ResolveAction resolve,
      RunLog runs,
      ReadRun read) {
    this.reader = reader;
    this.submit = new KeyedSubmit(CREATE_ROUTE, submit);
    this.resolve = resolve;
    this.runs = runs;
    this.read = read;
  }

  /// How a client is answered.
  sealed interface Outcome {
    record Answered(Reply reply) implements Outcome {}

    /// Once the run has ended or awaits after the sequence `after`.
    record Waits(RunKey run, long after, RunMode mode) implements Outcome {}
  }

  Outcome create(StreamRequest request, byte[] body) {
    return switch (reader.read(body)) {
      case CreateRequestReader.Result.Rejected rejected -> refused(rejected.error());
      case CreateRequestReader.Result.Accepted create
          when !knows(request.caller(), create.history()) ->
          refused(CreateRequestReader.foreignHistory());
      case CreateRequestReader.Result.Accepted create ->
          switch (submit.submit(request, create.request(), create.body())) {
            case SubmitRun.Result.Rejected rejected -> refused(rejected.problem());
            case SubmitRun.Result.Accepted done -> accepted(done.run(), create.mode());
          };
    };
  }

  private boolean knows(Caller caller, Set<String> runIds) {
    return runIds.stream().allMatch(id -> read.exists(new RunKey(caller.tenant(), id)));
  }

  private static Outcome accepted(RunState.Existing run, RunMode mode) {
    return switch (mode) {
      case ASYNC -> new Outcome.Answered(AcpReplies.run(202, AcpView.accepted(run)));
      case SYNC, STREAM -> new Outcome.Waits(run.facts().run(), 0, mode);
    };
  }

  Outcome resume(Caller caller, RunKey run, byte[] body) {
    return switch (ResumeRequestReader.read(run.runId(), body)) {
      case ResumeRequestReader.Result.Rejected rejected -> refused(rejected.error());
      case ResumeRequestReader.Result.Accepted resume ->
          switch (runs.load(run)) {
            case RunState.Absent _ -> new Outcome.Answered(AcpReplies.notFound("Run", run.runId()));
            case RunState.Existing existing -> {
              Optional<Action> pending =
                  existing.facts().interactions().pending().stream().findFirst();
              if (existing.sequence() > ReadRun.EVENTS_MAX) {
                yield refused(Problem.of(ProblemCode.RESPONSE_TOO_LARGE, ReadRun.TOO_LONG));
              }
              yield existing.status() == RunStatus.AWAITING && pending.isPresent()
                  ? resume(caller, run, pending.get(), resume)
                  : refused(
                      AcpError.forbidden(
                          "Run %s is not awaiting: it is %s"
                              .formatted(run.runId(), existing.status().wire())));
            }
          };
    };
  }

  private Outcome resume(
      Caller caller, RunKey run, Action action, ResumeRequestReader.Result.Accepted resume) {
    Optional<AcpAnswer> answer = AcpAnswer.of(action.actionType(), resume.message());
    @Nullable String wrong =
        answer.isEmpty()
            ? "The text must be approve or deny"
            : Bounds.bytes(String.valueOf(answer.get().payload())) > Limits.DECISION_BYTES_MAX
                ? "An answer has at most %d bytes".formatted(Limits.DECISION_BYTES_MAX)
                : null;
    if (wrong != null) {
      return refused(Problem.at(ProblemCode.INVALID_REQUEST, ANSWER, wrong));
    }
    AcpAnswer given = answer.orElseThrow();
    return switch (resolve.resolve(
        run, action.actionId(), given.decision(), given.payload(), caller.requester())) {
      case ResolveAction.Result.Rejected rejected -> {
        Problem why = rejected.problem();
        yield refused(
            why.pointers().isEmpty() ? why : Problem.at(why.code(), ANSWER, why.detail()));
      }
      case ResolveAction.Result.Decided decided -> {
        long at = Objects.requireNonNull(decided.action().resolution()).sequence();
        yield switch (resume.mode()) {
          case ASYNC -> new Outcome.Answered(AcpReplies.run(202, read.at(run, at).orElseThrow()));
          case SYNC, STREAM -> new Outcome.Waits(run, at - 1, resume.mode());
        };
      }
    };
  }

  private static Outcome refused(AcpError error) {
    return new Outcome.Answered(AcpReplies.error(error));
  }

  private static Outcome refused(Problem problem) {
    return new Outcome.Answered(AcpReplies.error(problem));
  }
}
