package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.OutputWarnings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The conversation with an agent of the Agent Client Protocol: opens a session, hands over the
/// prompt, and ends once every prompt is answered.
///
/// Every request of an agent is answered, so that it never waits for ever: permissions by a person
/// or by rule, anything else as not offered. Not thread-safe.
final class ClientProtocolConversation implements InteractiveProtocol {
  static final int WARNINGS_MAX = 16;

  private static final String BUSY = "the agent takes no messages while it works";

  private final ClientProtocolOpening opening;
  private final ClientProtocolQuirks manners;
  private final ClientProtocolPermissions permissions;
  private final CliQuestions<ClientProtocolPermission> questions;
  private final String agent;
  private final ClientProtocolTurn turn;
  private final ClientProtocolText text;
  private final ClientProtocolUsage usage;
  private final ClientProtocolUpdates updates;
  private final OutputWarnings warnings;
  private final NativeSession named = new NativeSession();
  private final Deque<String> prompts = new ArrayDeque<>();
  private final Deque<AgentInput.Said> kept = new ArrayDeque<>();
  private int refusals;
  private int unanswered;
  private @Nullable String session;
  private boolean stopping;
  private boolean closed;

  ClientProtocolConversation(
      ClientProtocolPeer peer,
      ClientProtocolOpening opening,
      ClientProtocolPermissions permissions,
      CliQuestions<ClientProtocolPermission> questions,
      String callPrefix,
      @Nullable String model) {
    this.agent = peer.title();
    this.opening = opening;
    this.manners = peer.manners();
    this.permissions = permissions;
    this.questions = questions;
    this.turn = new ClientProtocolTurn(agent);
    this.text = new ClientProtocolText(manners);
    this.usage = new ClientProtocolUsage(model);
    this.warnings = new OutputWarnings(agent);
    this.updates = new ClientProtocolUpdates(callPrefix, warnings, usage, text);
  }

  @Override
  public List<Effect> open() {
    return List.of(opening.begin());
  }

  @Override
  public List<Effect> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    Optional<ClientProtocolMessage> message = ClientProtocolMessage.read(line);
    if (message.isEmpty()) {
      return Effect.tell(warnings.unreadable());
    }
    turn.understood();
    return switch (message.get()) {
      case ClientProtocolMessage.Request request -> asked(request);
      case ClientProtocolMessage.Notification notification -> notified(notification);
      case ClientProtocolMessage.Result(long id, JsonNode result) ->
          session == null ? opened(id, result) : answered(result);
      case ClientProtocolMessage.Failed(long _, JsonNode error) ->
          session == null ? notOpened(error) : failed(error);
    };
  }

  @Override
  public List<Effect.Prompt> input(AgentInput input) {
    if (stopping || closed) {
      return List.of();
    }
    return switch (input) {
      case AgentInput.Said message when !manners.queues() ->
          List.of(new Effect.Refuse(message, BUSY));
      case AgentInput.Said message -> {
        kept.add(message);
        yield session == null ? List.of() : handOver();
      }
      case AgentInput.Decided decided ->
          questions.decided(decided).map(asked -> decided(asked, decided)).orElse(List.of());
    };
  }

  /// While it waits for a person nothing is sent: a cancel would be recorded in its conversation as
  /// a refusal, and the attempt that continues later needs it unchanged. Otherwise the agent gets a
  /// cancel.
  @Override
  public List<Effect.Prompt> stop() {
    stopping = true;
    if (closed || session == null || questions.waits()) {
      return List.of();
    }
    return List.of(ClientProtocolLines.cancel(session));
  }

  @Override
  public boolean unawares() {
    return manners.killed() && questions.waits();
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    return new OutputParser.Ending(updates.close(), turn.failure(exit, stderr));
  }

  private List<Effect> opened(long id, JsonNode result) {
    return switch (opening.answered(id, result)) {
      case ClientProtocolOpening.Step.Next(Effect.Write write) -> List.of(write);
      case ClientProtocolOpening.Step.Ready(String opened, List<String> first) -> {
        session = opened;
        prompts.addAll(first);
        List<Effect> moves = new ArrayList<>(Effect.tell(named.named(opened)));
        moves.addAll(stopping ? close() : handOver());
        yield moves;
      }
      case ClientProtocolOpening.Step.OtherVersion _ -> {
        turn.failed(turn.otherVersion());
        yield List.copyOf(close());
      }
      case ClientProtocolOpening.Step.Failed(AgentTrouble why) -> {
        turn.failed(why);
        yield List.copyOf(close());
      }
      case ClientProtocolOpening.Step.Unasked _ -> List.of();
    };
  }

  private List<Effect> notOpened(JsonNode error) {
    turn.failed(opening.failed(error));
    return List.copyOf(close());
  }

  /// Sends the next prompts: one at a time, unless the agent queues them itself.
  private List<Effect.Prompt> handOver() {
    List<Effect.Prompt> moves = new ArrayList<>();
    while (!prompts.isEmpty() && (unanswered == 0 || manners.queues())) {
      moves.add(prompt(prompts.remove()));
    }
    while (prompts.isEmpty() && !kept.isEmpty()) {
      AgentInput.Said said = kept.remove();
      moves.add(new Effect.Took(said));
      moves.add(prompt(said.message().content()));
    }
    return moves;
  }

  private Effect.Write prompt(String words) {
    unanswered++;
    return opening.prompt(words);
  }

  private List<Effect> answered(JsonNode result) {
    List<Effect> moves = new ArrayList<>();
    turn.ended(result.path("stopReason").asText(""));
    if (!text.error().isEmpty()) {
      turn.failed(ClientProtocolTrouble.find(text.error()).orElse(AgentTrouble.OTHER));
      text.forget(text.error());
    } else if (text.gaveUp() && turn.anyRefused()) {
      turn.failed(turn.refusal());
    }
    moves.addAll(Effect.tell(text.close()));
    moves.addAll(Effect.tell(manners.counts() ? usage.turn(result) : List.of()));
    moves.addAll(next());
    return moves;
  }

  private List<Effect> failed(JsonNode error) {
    turn.failed(ClientProtocolTrouble.of(error));
    text.forget(ClientProtocolTrouble.said(error));
    List<Effect> moves = new ArrayList<>(Effect.tell(text.close()));
    moves.addAll(next());
    return moves;
  }

  private List<Effect.Prompt> next() {
    unanswered = Math.max(0, unanswered - 1);
    if (!stopping) {
      List<Effect.Prompt> more = handOver();
      if (!more.isEmpty()) {
        return more;
      }
    }
    return unanswered == 0 ? close() : List.of();
  }

  private List<Effect.Prompt> close() {
    if (closed) {
      return List.of();
    }
    List<Effect.Prompt> moves = new ArrayList<>(questions.refuseLeftOver());
    closed = true;
    moves.add(new Effect.Close(manners.leaveMillis()));
    return moves;
  }

  private List<Effect> asked(ClientProtocolMessage.Request request) {
    if (!request.method().equals("session/request_permission")) {
      return List.of(ClientProtocolLines.unsupported(request.id()));
    }
    ClientProtocolPermission permission = ClientProtocolPermission.of(request);
    if (stopping) {
      return questions.waits()
          ? List.of()
          : List.of(
              ClientProtocolLines.result(permission.id(), ClientProtocolPermission.cancelled()));
    }
    ClientProtocolTool tool = ClientProtocolTool.asked(permission.tool());
    List<Effect> moves = new ArrayList<>(Effect.tell(updates.tool(tool)));
    ClientProtocolTool whole = updates.whole(tool);
    if (permissions == ClientProtocolPermissions.ASKED) {
      switch (questions.ask(
          permission.toAnswer(), permission.ask(agent, updates.name(tool), whole))) {
        case CliQuestions.Reply.Waits waits -> moves.addAll(waits.moves());
        case CliQuestions.Reply.Full _ -> moves.addAll(refused(permission));
        case CliQuestions.Reply.Decided(AgentInput.Decided decision) ->
            moves.addAll(decided(permission, decision));
      }
    } else if (permissions.permits(whole.kind())) {
      moves.add(ClientProtocolLines.result(permission.id(), permission.permitted()));
    } else {
      moves.addAll(refused(permission));
    }
    return moves;
  }

  private List<Effect> refused(ClientProtocolPermission permission) {
    turn.refused();
    List<Effect> moves = new ArrayList<>();
    moves.add(ClientProtocolLines.result(permission.id(), permission.rejected()));
    moves.addAll(Effect.tell(refusal()));
    return moves;
  }

  private List<RunEvent> refusal() {
    refusals++;
    return refusals > WARNINGS_MAX
        ? List.of()
        : List.of(
            new RunEvent.RuntimeWarning(
                ClientProtocolTurn.REFUSED_CODE,
                "%s was not permitted to use a tool as it wanted to.".formatted(agent)));
  }

  private List<Effect.Prompt> decided(
      ClientProtocolPermission permission, AgentInput.Decided decided) {
    ObjectNode answer = permission.answer(decided.action());
    if (!permission.permits(answer)) {
      turn.refused();
    }
    return List.of(new Effect.Took(decided), ClientProtocolLines.result(permission.id(), answer));
  }

  private List<Effect> notified(ClientProtocolMessage.Notification notification) {
    return switch (notification.method()) {
      case "session/update" -> Effect.tell(update(notification.params().path("update")));
      case "$/cancel_request" -> {
        String key = notification.params().path("requestId").toString();
        questions.withdraw(permission -> permission.key().equals(key));
        yield List.of();
      }
      case String other -> Effect.tell(warnings.unknown("notification " + other));
    };
  }

  /// An old conversation is repeated while it is opened, which is ignored.
  private List<RunEvent> update(JsonNode update) {
    if (session == null) {
      opening.repeated(update);
      return List.of();
    }
    return updates.of(update);
  }
}
