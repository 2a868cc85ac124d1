package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.StreamLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The protocol of `claude -p --input-format stream-json`.
///
/// Claude Code repeats a user's message once the model gets it, which shows whether another turn
/// will follow. Of several waiting messages it repeats only some, so it gets one at a time; the
/// others stay undelivered until then.
final class ClaudeConversation implements InteractiveProtocol {
  private static final String INTERRUPT = "runyard-interrupt";
  private static final String STOPPING = "The run is being stopped.";
  private static final String TOO_MANY = "Too many questions wait for an answer.";

  private final ClaudeStream stream;
  private final CliQuestions<Asked> questions;
  private final String attemptId;
  private final List<RunEvent> opening;
  private final Deque<AgentPrompt> beginning;
  private final Deque<AgentInput.Said> held = new ArrayDeque<>();
  private @Nullable String unheard;
  private @Nullable String awaited;
  private int said;
  private boolean stopping;
  private boolean closed;

  /// A question of Claude Code, with the id that its answer needs. It is kept as text, since its
  /// tree takes many times as much memory.
  record Asked(String id, String json) implements CliQuestions.Request {
    @Override
    public int chars() {
      return id.length() + json.length();
    }

    ClaudeRequest request() {
      return ClaudeRequest.of(json);
    }
  }

  /// @param opening events before any others
  /// @param beginning the first messages to Claude Code, at least the prompt
  ClaudeConversation(
      ClaudeStream stream,
      CliQuestions<Asked> questions,
      String attemptId,
      List<RunEvent> opening,
      List<AgentPrompt> beginning) {
    this.stream = stream;
    this.questions = questions;
    this.attemptId = attemptId;
    this.opening = List.copyOf(opening);
    this.beginning = new ArrayDeque<>(beginning);
  }

  @Override
  public List<Effect> open() {
    List<Effect> moves = new ArrayList<>(Effect.tell(opening));
    moves.addAll(next());
    return moves;
  }

  @Override
  public List<Effect> line(String line) {
    Optional<StreamLine> read = line.isBlank() ? Optional.empty() : StreamLine.read(line);
    if (read.isEmpty()) {
      return Effect.tell(stream.line(line));
    }
    StreamLine typed = read.get();
    return switch (typed.type()) {
      case "control_request" -> request(typed);
      case "control_cancel_request" -> withdrawn(typed.text("/request_id"));
      case "control_response", "keep_alive" -> List.of();
      case "user" ->
          typed.json().path("isReplay").asBoolean()
              ? heard(typed.text("/uuid"))
              : Effect.tell(stream.typed(typed));
      case "result" -> turnEnded(typed);
      default -> Effect.tell(stream.typed(typed));
    };
  }

  @Override
  public List<Effect.Prompt> input(AgentInput input) {
    if (stopping || closed) {
      return List.of();
    }
    return switch (input) {
      case AgentInput.Said message -> {
        held.add(message);
        yield next();
      }
      case AgentInput.Decided decided ->
          questions.decided(decided).map(request -> answered(request, decided)).orElse(List.of());
    };
  }

  /// While it waits for a person nothing is sent: an interrupt would be recorded in its
  /// conversation as a refusal, and the attempt that continues later needs it unchanged.
  @Override
  public List<Effect.Prompt> stop() {
    boolean silent = closed || questions.waits();
    stopping = true;
    return silent
        ? List.of()
        : List.of(new Effect.Write(ClaudeLines.control(INTERRUPT, "interrupt")));
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    return stream.end(exit, stderr);
  }

  private Effect.Write say(AgentPrompt word) {
    said++;
    unheard = word.id();
    return new Effect.Write(ClaudeLines.user(word));
  }

  private List<Effect> heard(String id) {
    if (id.equals(unheard)) {
      unheard = null;
    }
    return List.copyOf(next());
  }

  /// Hands over the next message once the one before was read.
  private List<Effect.Prompt> next() {
    boolean none = beginning.isEmpty() && held.isEmpty();
    if (unheard != null || stopping || closed || none) {
      return List.of();
    }
    if (!beginning.isEmpty()) {
      return List.of(say(beginning.remove()));
    }
    AgentInput.Said input = held.remove();
    InboxMessage message = input.message();
    return List.of(
        new Effect.Took(input),
        say(AgentPrompt.of(attemptId, message.messageId(), message.content())));
  }

  private List<Effect> turnEnded(StreamLine line) {
    List<Effect> moves = new ArrayList<>(Effect.tell(stream.typed(line)));
    boolean aWholeTurnAgo = said == 1 || Objects.equals(unheard, awaited);
    unheard = aWholeTurnAgo ? null : unheard;
    awaited = unheard;
    moves.addAll(next());
    if (!closed && (unheard == null || stopping)) {
      moves.addAll(questions.refuseLeftOver());
      closed = true;
      moves.add(new Effect.Close());
    }
    return moves;
  }

  private List<Effect> request(StreamLine line) {
    String id = line.text("/request_id");
    JsonNode request = line.json().path("request");
    if (!request.path("subtype").asText("").equals("can_use_tool")) {
      return List.of(new Effect.Write(ClaudeLines.unsupported(id)));
    }
    ClaudeRequest read = ClaudeRequest.of(request);
    if (stopping) {
      return questions.waits()
          ? List.of()
          : List.of(new Effect.Write(ClaudeLines.response(id, read.denied(STOPPING, true))));
    }
    Asked asked = new Asked(id, request.toString());
    return switch (questions.ask(asked, read.ask())) {
      case CliQuestions.Reply.Waits waits -> waits.moves();
      case CliQuestions.Reply.Full _ ->
          List.of(new Effect.Write(ClaudeLines.response(id, read.denied(TOO_MANY, false))));
      case CliQuestions.Reply.Decided(AgentInput.Decided decision) ->
          List.copyOf(answered(asked, decision));
    };
  }

  private List<Effect> withdrawn(String id) {
    questions.withdraw(asked -> asked.id().equals(id));
    return List.of();
  }

  private static List<Effect.Prompt> answered(Asked asked, AgentInput.Decided decided) {
    ObjectNode response = asked.request().answer(decided.action());
    return List.of(
        new Effect.Took(decided), new Effect.Write(ClaudeLines.response(asked.id(), response)));
  }
}
