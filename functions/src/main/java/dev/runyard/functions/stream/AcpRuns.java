package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
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
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Reply;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Begins and resumes runs for clients of the Agent Communication Protocol, and decides whether the
/// client is answered at once or waits.
final class AcpRuns {
  private static final String CREATE_ROUTE = "POST /runs";
  private static final String BY = "client";
  private static final String ANSWER = "/await_resume/message";

  private final String tenant;
  private final CreateRequestReader reader;
  private final SubmitRun submit;
  private final ResolveAction resolve;
  private final RunLog runs;
  private final EventLog log;

  AcpRuns(
      String tenant,
      CreateRequestReader reader,
      SubmitRun submit,
      ResolveAction resolve,
      RunLog runs,
      EventLog log) {
    this.tenant = tenant;
    this.reader = reader;
    this.submit = submit;
    this.resolve = resolve;
    this.runs = runs;
    this.log = log;
  }

  /// How a client is answered.
  sealed interface Outcome {
    record Answered(Reply reply) implements Outcome {}

    /// Once the run has settled behind the sequence `after`.
    record Waits(RunKey run, long after, RunMode mode) implements Outcome {}
  }

  Outcome create(HttpExchange exchange, byte[] body) {
    return switch (reader.read(body)) {
      case CreateRequestReader.Result.Rejected rejected -> refused(rejected.error());
      case CreateRequestReader.Result.Accepted create when !knows(create.history()) ->
          refused(CreateRequestReader.foreignHistory());
      case CreateRequestReader.Result.Accepted create -> {
        String header = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        yield header == null
            ? create(create, Optional.empty())
            : switch (IdempotencyHeader.read(header)) {
              case IdempotencyHeader.Result.Rejected rejected ->
                  refused(AcpError.of(rejected.problem()));
              case IdempotencyHeader.Result.Read read ->
                  create(
                      create,
                      Optional.of(
                          new SubmitRun.Key(
                              read.key(),
                              IdempotencyHeader.fingerprint(tenant, CREATE_ROUTE, create.body()))));
            };
      }
    };
  }

  private boolean knows(Set<String> runIds) {
    return runIds.stream().allMatch(id -> log.chunkAt(new RunKey(tenant, id), 1).isPresent());
  }

  private Outcome create(CreateRequestReader.Result.Accepted create, Optional<SubmitRun.Key> key) {
    return switch (submit.submit(tenant, create.request(), key)) {
      case SubmitRun.Result.Rejected rejected -> refused(AcpError.of(rejected.problem()));
      case SubmitRun.Result.Accepted done ->
          switch (create.mode()) {
            case ASYNC -> new Outcome.Answered(AcpReplies.run(202, AcpView.accepted(done.run())));
            case SYNC, STREAM -> new Outcome.Waits(done.run().facts().run(), 0, create.mode());
          };
    };
  }

  Outcome resume(RunKey run, byte[] body) {
    return switch (ResumeRequestReader.read(run.runId(), body)) {
      case ResumeRequestReader.Result.Rejected rejected -> refused(rejected.error());
      case ResumeRequestReader.Result.Accepted resume ->
          switch (runs.load(run)) {
            case RunState.Absent _ -> new Outcome.Answered(AcpReplies.notFound("Run", run.runId()));
            case RunState.Existing existing -> {
              Optional<Action> pending =
                  existing.facts().interactions().pending().stream().findFirst();
              if (existing.sequence() > ReadRun.EVENTS_MAX) {
                yield refused(
                    AcpError.of(Problem.of(ProblemCode.RESPONSE_TOO_LARGE, ReadRun.TOO_LONG)));
              }
              yield existing.status() == RunStatus.AWAITING && pending.isPresent()
                  ? resume(run, pending.get(), resume)
                  : refused(
                      AcpError.forbidden(
                          "Run %s is not awaiting: it is %s"
                              .formatted(run.runId(), existing.status().wire())));
            }
          };
    };
  }

  private Outcome resume(RunKey run, Action action, ResumeRequestReader.Result.Accepted resume) {
    Optional<AcpAnswer> answer = AcpAnswer.of(action.actionType(), resume.message());
    @Nullable String wrong =
        answer.isEmpty()
            ? "The text must be approve or deny"
            : Bounds.bytes(String.valueOf(answer.get().payload())) > Limits.DECISION_BYTES_MAX
                ? "An answer has at most %d bytes".formatted(Limits.DECISION_BYTES_MAX)
                : null;
    if (wrong != null) {
      return refused(AcpError.of(Problem.at(ProblemCode.INVALID_REQUEST, ANSWER, wrong)));
    }
    AcpAnswer given = answer.orElseThrow();
    return switch (resolve.resolve(run, action.actionId(), given.decision(), given.payload(), BY)) {
      case ResolveAction.Result.Rejected rejected -> {
        Problem why = rejected.problem();
        yield refused(
            AcpError.of(
                why.pointers().isEmpty() ? why : Problem.at(why.code(), ANSWER, why.detail())));
      }
      case ResolveAction.Result.Decided decided -> {
        long at = Objects.requireNonNull(decided.action().resolution()).sequence();
        yield switch (resume.mode()) {
          case ASYNC ->
              new Outcome.Answered(AcpReplies.run(202, new ReadRun(log).at(run, at).orElseThrow()));
          case SYNC, STREAM -> new Outcome.Waits(run, at - 1, resume.mode());
        };
      }
    };
  }

  private static Outcome refused(AcpError error) {
    return new Outcome.Answered(AcpReplies.error(error));
  }
}
