package dev.runyard.runner.backend.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.AgentInput;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.CliDialect;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Move;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.TalkDialect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is said between a run and an agent of the Agent Client Protocol: opens a session, hands
/// over the prompt, and ends once every prompt is answered.
///
/// Everything an agent asks is answered, so that it never waits in vain: permissions by a person or
/// by rule, anything else as not offered. Not thread-safe.
final class AcpTalk implements TalkDialect {
  static final int WARNINGS_MAX = 16;

  private static final String BUSY = "the agent takes no messages while it works";

  private final AcpOpening opening;
  private final AcpManners manners;
  private final AcpPermissions permissions;
  private final CliQuestions<AcpPermission> questions;
  private final String agent;
  private final AcpTurn turn;
  private final AcpText text;
  private final AcpUsage usage;
  private final AcpUpdates updates;
  private final OutputWarnings warnings;
  private final NativeSession named = new NativeSession();
  private final Deque<String> prompts = new ArrayDeque<>();
  private final Deque<AgentInput.Said> kept = new ArrayDeque<>();
  private int refusals;
  private int unanswered;
  private @Nullable String session;
  private boolean stopping;
  private boolean closed;

  /// @param agent its name for people
  AcpTalk(
      String agent,
      AcpOpening opening,
      AcpManners manners,
      AcpPermissions permissions,
      CliQuestions<AcpPermission> questions,
      String callPrefix,
      @Nullable String model) {
    this.agent = agent;
    this.opening = opening;
    this.manners = manners;
    this.permissions = permissions;
    this.questions = questions;
    this.turn = new AcpTurn(agent);
    this.text = new AcpText(manners);
    this.usage = new AcpUsage(model);
    this.warnings = new OutputWarnings(agent);
    this.updates = new AcpUpdates(callPrefix, warnings, usage, text);
  }

  @Override
  public List<Move> open() {
    return List.of(opening.begin());
  }

  @Override
  public List<Move> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    Optional<AcpMessage> message = AcpMessage.read(line);
    if (message.isEmpty()) {
      return Move.tell(warnings.unreadable());
    }
    turn.understood();
    return switch (message.get()) {
      case AcpMessage.Request request -> asked(request);
      case AcpMessage.Notification notification -> notified(notification);
      case AcpMessage.Result(long id, JsonNode result) ->
          session == null ? opened(id, result) : answered(result);
      case AcpMessage.Failed(long _, JsonNode error) ->
          session == null ? notOpened(error) : failed(error);
    };
  }

  @Override
  public List<Move.Prompt> input(AgentInput input) {
    if (stopping || closed) {
      return List.of();
    }
    return switch (input) {
      case AgentInput.Said message when !manners.queues() ->
          List.of(new Move.Refuse(message, BUSY));
      case AgentInput.Said message -> {
        kept.add(message);
        yield session == null ? List.of() : handOver();
      }
      case AgentInput.Decided decided ->
          questions.decided(decided).map(asked -> decided(asked, decided)).orElse(List.of());
    };
  }

  /// While it waits for a person nothing is said: a cancel would go into its conversation as a
  /// refusal, and the attempt that goes on later has to find it as it stands. Else the agent hears
  /// of it.
  @Override
  public List<Move.Prompt> stop() {
    stopping = true;
    if (closed || session == null || questions.waits()) {
      return List.of();
    }
    return List.of(AcpLines.cancel(session));
  }

  @Override
  public boolean unawares() {
    return manners.killed() && questions.waits();
  }

  @Override
  public CliDialect.Ending end(Attempt.Exit exit, String stderr) {
    return new CliDialect.Ending(updates.close(), turn.failure(exit, stderr));
  }

  private List<Move> opened(long id, JsonNode result) {
    return switch (opening.answered(id, result)) {
      case AcpOpening.Step.Next(Move.Write write) -> List.of(write);
      case AcpOpening.Step.Ready(String opened, List<String> first) -> {
        session = opened;
        prompts.addAll(first);
        List<Move> moves = new ArrayList<>(Move.tell(named.named(opened)));
        moves.addAll(stopping ? close() : handOver());
        yield moves;
      }
      case AcpOpening.Step.OtherVersion _ -> {
        turn.failed(turn.otherVersion());
        yield List.copyOf(close());
      }
      case AcpOpening.Step.Failed(AgentTrouble why) -> {
        turn.failed(why);
        yield List.copyOf(close());
      }
      case AcpOpening.Step.Unasked _ -> List.of();
    };
  }

  private List<Move> notOpened(JsonNode error) {
    turn.failed(opening.failed(error));
    return List.copyOf(close());
  }

  /// Says what there is to say: one prompt at a time, unless the agent queues them itself.
  private List<Move.Prompt> handOver() {
    List<Move.Prompt> moves = new ArrayList<>();
    while (!prompts.isEmpty() && (unanswered == 0 || manners.queues())) {
      moves.add(prompt(prompts.remove()));
    }
    while (prompts.isEmpty() && !kept.isEmpty()) {
      AgentInput.Said said = kept.remove();
      moves.add(new Move.Took(said));
      moves.add(prompt(said.message().content()));
    }
    return moves;
  }

  private Move.Write prompt(String words) {
    unanswered++;
    return opening.prompt(words);
  }

  private List<Move> answered(JsonNode result) {
    List<Move> moves = new ArrayList<>();
    turn.ended(result.path("stopReason").asText(""));
    if (!text.error().isEmpty()) {
      turn.failed(AcpTrouble.find(text.error()).orElse(AgentTrouble.OTHER));
      text.forget(text.error());
    } else if (text.gaveUp() && turn.anyRefused()) {
      turn.failed(turn.refusal());
    }
    moves.addAll(Move.tell(text.close()));
    moves.addAll(Move.tell(manners.counts() ? usage.turn(result) : List.of()));
    moves.addAll(next());
    return moves;
  }

  private List<Move> failed(JsonNode error) {
    turn.failed(AcpTrouble.of(error));
    text.forget(AcpTrouble.said(error));
    List<Move> moves = new ArrayList<>(Move.tell(text.close()));
    moves.addAll(next());
    return moves;
  }

  private List<Move.Prompt> next() {
    unanswered = Math.max(0, unanswered - 1);
    if (!stopping) {
      List<Move.Prompt> more = handOver();
      if (!more.isEmpty()) {
        return more;
      }
    }
    return unanswered == 0 ? close() : List.of();
  }

  private List<Move.Prompt> close() {
    if (closed) {
      return List.of();
    }
    List<Move.Prompt> moves = new ArrayList<>(questions.refuseLeftOver());
    closed = true;
    moves.add(new Move.Close(manners.leaveMillis()));
    return moves;
  }

  private List<Move> asked(AcpMessage.Request request) {
    if (!request.method().equals("session/request_permission")) {
      return List.of(AcpLines.unsupported(request.id()));
    }
    AcpPermission permission = AcpPermission.of(request);
    if (stopping) {
      return List.of(AcpLines.result(permission.id(), AcpPermission.cancelled()));
    }
    AcpTool tool = AcpTool.of(permission.tool());
    List<Move> moves = new ArrayList<>(Move.tell(updates.tool(tool)));
    if (permissions == AcpPermissions.ASKED) {
      switch (questions.ask(permission, permission.ask(agent, updates.name(tool)))) {
        case CliQuestions.Reply.Waits waits -> moves.addAll(waits.moves());
        case CliQuestions.Reply.Decided(AgentInput.Decided decision) ->
            moves.addAll(decided(permission, decision));
      }
    } else if (permissions.permits(tool.kind())) {
      moves.add(AcpLines.result(permission.id(), permission.permitted()));
    } else {
      turn.refused();
      moves.add(AcpLines.result(permission.id(), permission.rejected()));
      moves.addAll(Move.tell(refusal()));
    }
    return moves;
  }

  private List<RunEvent> refusal() {
    refusals++;
    return refusals > WARNINGS_MAX
        ? List.of()
        : List.of(
            new RunEvent.RuntimeWarning(
                AcpTurn.REFUSED_CODE,
                "%s was not permitted to use a tool as it wanted to.".formatted(agent)));
  }

  private List<Move.Prompt> decided(AcpPermission permission, AgentInput.Decided decided) {
    ObjectNode answer = permission.answer(decided.action());
    if (!permission.permits(answer)) {
      turn.refused();
    }
    return List.of(new Move.Took(decided), AcpLines.result(permission.id(), answer));
  }

  private List<Move> notified(AcpMessage.Notification notification) {
    return switch (notification.method()) {
      case "session/update" -> Move.tell(update(notification.params().path("update")));
      case "$/cancel_request" -> {
        String key = notification.params().path("requestId").toString();
        questions.withdraw(permission -> permission.key().equals(key));
        yield List.of();
      }
      case String other -> Move.tell(warnings.unknown("notification " + other));
    };
  }

  /// An old conversation is repeated while it is opened, and is no news.
  private List<RunEvent> update(JsonNode update) {
    if (session == null) {
      opening.repeated(update);
      return List.of();
    }
    return updates.of(update);
  }
}
