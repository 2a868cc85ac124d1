package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.OutputParser;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The protocol of `codex app-server`: opens the run's thread, begins a turn with the prompt, and
/// is done when a turn ends and no message is left.
///
/// A message goes into the current turn. If it comes too late for that, Codex refuses it, and it is
/// sent again to begin another turn.
final class CodexConversation implements InteractiveProtocol {
  private static final int INITIALIZE = 1;
  private static final int THREAD = 2;

  /// It exits with 0 even when a signal ends it in the middle of a turn.
  private static final Failure UNFINISHED = CodexTrouble.OTHER.failure();

  private final CodexStream stream;
  private final AppServerEvents news;
  private final CodexLines lines;
  private final CliQuestions<CodexRequest> questions;
  private final String attemptId;
  private final List<RunEvent> opening;
  private final Map<Integer, AgentPrompt> steering = new HashMap<>();
  private final Deque<AgentInput.Said> held = new ArrayDeque<>();
  private final List<AgentPrompt> words;
  private @Nullable String thread;
  private @Nullable String turn;
  private int lastId = THREAD;
  private int startId;
  private boolean stopping;
  private boolean closed;
  private boolean cutShort;

  /// @param opening events before any others
  /// @param words the messages of the first turn, at least the prompt
  CodexConversation(
      CodexStream stream,
      CodexLines lines,
      CliQuestions<CodexRequest> questions,
      String attemptId,
      List<RunEvent> opening,
      List<AgentPrompt> words) {
    this.stream = stream;
    this.news = new AppServerEvents(stream);
    this.lines = lines;
    this.questions = questions;
    this.attemptId = attemptId;
    this.opening = List.copyOf(opening);
    this.words = new ArrayList<>(words);
  }

  @Override
  public List<Effect> open() {
    List<Effect> moves = new ArrayList<>(Effect.tell(opening));
    moves.add(new Effect.Write(lines.initialize(INITIALIZE)));
    return moves;
  }

  @Override
  public List<Effect> line(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    JsonNode json = read(line);
    String method = json.path("method").asText("");
    if (method.isEmpty()) {
      return json.has("id") ? response(json) : Effect.tell(stream.unreadable());
    }
    JsonNode params = json.path("params");
    return json.has("id") ? request(method, json.path("id"), params) : heard(method, params);
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
          questions.decided(decided).map(asked -> answered(asked, decided)).orElse(List.of());
    };
  }

  /// While it waits for a person nothing is sent: an interrupt would be recorded in its
  /// conversation, and the attempt that continues later needs it unchanged.
  @Override
  public List<Effect.Prompt> stop() {
    boolean silent = closed || questions.waits();
    cutShort = !closed;
    stopping = true;
    if (silent) {
      return List.of();
    }
    return thread == null || turn == null
        ? close()
        : List.of(new Effect.Write(lines.interrupt(++lastId, thread, turn)));
  }

  @Override
  public Optional<Failure> giveUp() {
    return stream.giveUp();
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    CodexOutcome outcome = CodexOutcome.of(stream, exit, stderr);
    Optional<Failure> failure = outcome.failure();
    return new OutputParser.Ending(
        outcome.last(), closed && !cutShort ? failure : failure.or(() -> Optional.of(UNFINISHED)));
  }

  private List<Effect> response(JsonNode json) {
    int id = json.path("id").asInt();
    AgentPrompt steered = steering.remove(id);
    boolean refused = json.has("error");
    if (refused && steered != null) {
      words.add(steered);
    }
    if (steered != null) {
      return List.copyOf(next());
    }
    if (refused && (id <= THREAD || id == startId)) {
      List<Effect> moves = new ArrayList<>(Effect.tell(news.failed(said(json.path("error")))));
      moves.addAll(close());
      return moves;
    }
    return switch (id) {
      case INITIALIZE ->
          List.of(new Effect.Write(lines.initialized()), new Effect.Write(lines.thread(THREAD)));
      case THREAD -> opened(json.at("/result/thread/id").asText(""));
      default -> List.of();
    };
  }

  private List<Effect> opened(String id) {
    thread = id;
    List<Effect> moves = new ArrayList<>(Effect.tell(news.threadOpened(id)));
    moves.addAll(next());
    return moves;
  }

  private List<Effect> heard(String method, JsonNode params) {
    String about = params.path("threadId").asText("");
    if (thread != null && !about.isEmpty() && !about.equals(thread)) {
      return Effect.tell(news.heardOfHelper(method, about, params));
    }
    return switch (method) {
      case "turn/started" -> turnStarted(params.path("turn"));
      case "turn/completed" -> turnEnded(params.path("turn"));
      case "serverRequest/resolved" -> withdrawn(params.path("requestId").asText(""));
      default -> Effect.tell(news.heard(method, params));
    };
  }

  private List<Effect> turnStarted(JsonNode started) {
    turn = started.path("id").asText("");
    startId = 0;
    List<Effect> moves = new ArrayList<>(Effect.tell(news.turnStarted()));
    moves.addAll(next());
    return moves;
  }

  private List<Effect> turnEnded(JsonNode ended) {
    turn = null;
    cutShort &= !whole(ended);
    List<Effect> moves = new ArrayList<>(Effect.tell(news.turnEnded(ended, stopping)));
    moves.addAll(stopping ? close() : next());
    return moves;
  }

  /// True for the last turn of the run, if it was not interrupted.
  private boolean whole(JsonNode ended) {
    boolean waits = !words.isEmpty() || !held.isEmpty() || !steering.isEmpty();
    return !waits && !ended.path("status").asText("").equals("interrupted");
  }

  /// Sends the next message, or closes the input if there is none.
  private List<Effect.Prompt> next() {
    if (thread == null || stopping || closed || startId != 0) {
      return List.of();
    }
    List<Effect.Prompt> moves = new ArrayList<>();
    if (turn != null) {
      while (!held.isEmpty()) {
        AgentPrompt word = take(moves);
        steering.put(++lastId, word);
        moves.add(new Effect.Write(lines.steer(lastId, thread, turn, word)));
      }
      return moves;
    }
    while (!held.isEmpty()) {
      words.add(take(moves));
    }
    if (words.isEmpty()) {
      return steering.isEmpty() ? close() : List.of();
    }
    startId = ++lastId;
    moves.add(new Effect.Write(lines.startTurn(startId, thread, words)));
    words.clear();
    return moves;
  }

  private AgentPrompt take(List<Effect.Prompt> moves) {
    AgentInput.Said input = held.remove();
    moves.add(new Effect.Took(input));
    InboxMessage message = input.message();
    return AgentPrompt.of(attemptId, message.messageId(), message.content());
  }

  private List<Effect.Prompt> close() {
    List<Effect.Prompt> moves = new ArrayList<>();
    if (!closed) {
      closed = true;
      moves.addAll(questions.refuseLeftOver());
      moves.add(new Effect.Close());
    }
    return moves;
  }

  private List<Effect> request(String method, JsonNode id, JsonNode params) {
    Optional<CliQuestions.Ask> asked =
        switch (method) {
          case "item/commandExecution/requestApproval" -> Optional.of(CodexRequest.command(params));
          case "item/fileChange/requestApproval" -> {
            JsonNode changes = news.changes(params.path("itemId").asText(""));
            yield Optional.of(CodexRequest.files(params, changes, lines.workingDir()));
          }
          default -> Optional.empty();
        };
    if (asked.isEmpty() || !id.isValueNode()) {
      return List.of(new Effect.Write(lines.unsupported(id)));
    }
    if (stopping) {
      return questions.waits()
          ? List.of()
          : List.of(new Effect.Write(lines.decision(id, CodexRequest.CANCEL)));
    }
    CodexRequest request = new CodexRequest(id);
    return switch (questions.ask(request, asked.get())) {
      case CliQuestions.Reply.Waits waits -> waits.moves();
      case CliQuestions.Reply.Full _ ->
          List.of(new Effect.Write(lines.decision(id, CodexRequest.DECLINE)));
      case CliQuestions.Reply.Decided(AgentInput.Decided decision) ->
          List.copyOf(answered(request, decision));
    };
  }

  private List<Effect> withdrawn(String id) {
    questions.withdraw(request -> request.id().asText().equals(id));
    return List.of();
  }

  private List<Effect.Prompt> answered(CodexRequest request, AgentInput.Decided decided) {
    return List.of(
        new Effect.Took(decided),
        new Effect.Write(lines.decision(request.id(), CodexRequest.answer(decided.action()))));
  }

  private static String said(JsonNode error) {
    return error.path("message").asText("");
  }

  private static JsonNode read(String line) {
    try {
      return JsonFormat.JSON.readTree(line);
    } catch (IOException _) {
      return JsonNodeFactory.instance.missingNode();
    }
  }
}
