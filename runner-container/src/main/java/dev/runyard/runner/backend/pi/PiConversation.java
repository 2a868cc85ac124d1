package dev.runyard.runner.backend.pi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.StreamLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The protocol of `pi --mode rpc`.
///
/// pi never ends by itself, and after an `agent_end` it may still retry a call of its model, or
/// have a message that came too late for its last turn. So its state is requested before it is
/// ended, unless its last turn succeeded and it has read all messages.
///
/// That state does not show a message that pi has not answered yet, and of two such messages pi
/// forgets one. So it gets a message only once it has answered the one before, and is not ended
/// before it has answered.
final class PiConversation implements InteractiveProtocol {
  private static final String BEGIN = "begin";
  private static final String PROMPT = "prompt";

  /// Sent if a message came too late for its turn, and begins the next turn with that message.
  private static final String GO_ON = "Go on with the message above.";

  /// Questions of extensions to the person at a terminal.
  private static final Set<String> DIALOGS = Set.of("select", "confirm", "input", "editor");

  private final PiStream stream;
  private final String prompt;
  private final Deque<AgentInput.Said> held = new ArrayDeque<>();
  private int said;
  private int heard;
  private int looks;
  private boolean unanswered;

  /// From the start, because its prompt is on its way.
  private boolean working = true;

  private boolean retrying;
  private boolean over;

  PiConversation(PiStream stream, String prompt) {
    this.stream = stream;
    this.prompt = prompt;
  }

  @Override
  public List<Effect> open() {
    return List.of(state(BEGIN), say(PROMPT, prompt));
  }

  @Override
  public List<Effect> line(String line) {
    Optional<StreamLine> read = line.isBlank() ? Optional.empty() : StreamLine.read(line);
    if (read.isEmpty()) {
      return Effect.tell(stream.line(line));
    }
    StreamLine typed = read.get();
    return switch (typed.type()) {
      case "response" -> answered(typed);
      case "extension_ui_request" -> declined(typed);
      case "agent_start", "compaction_start" -> goesOn(typed);
      case "auto_retry_start" -> retries(typed);
      case "message_start" -> begun(typed);
      case "agent_end" -> ended();
      case "auto_retry_end" -> retried(typed);
      case "compaction_end" -> compacted(typed);
      case String _ -> Effect.tell(stream.typed(typed));
    };
  }

  @Override
  public List<Effect.Prompt> input(AgentInput input) {
    if (over) {
      return List.of();
    }
    return switch (input) {
      case AgentInput.Said message -> {
        held.add(message);
        yield handOver();
      }
      case AgentInput.Decided _ -> List.of(new Effect.Refuse(input, "the agent asks nobody"));
    };
  }

  /// A signal ends it and its tools at once; it needs no preparation.
  @Override
  public List<Effect.Prompt> stop() {
    over = true;
    return List.of();
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    return stream.end(exit, stderr);
  }

  private List<Effect.Prompt> handOver() {
    if (over || unanswered || held.isEmpty()) {
      return List.of();
    }
    AgentInput.Said next = held.remove();
    return List.of(
        new Effect.Took(next), say(next.message().messageId(), next.message().content()));
  }

  /// A message that comes while pi works waits for the end of its turn.
  private Effect.Write say(String id, String text) {
    said++;
    unanswered = true;
    return write(command(id, PROMPT).put("message", text).put("streamingBehavior", "steer"));
  }

  private static Effect.Write state(String id) {
    return write(command(id, "get_state"));
  }

  private List<Effect> goesOn(StreamLine line) {
    working = true;
    return Effect.tell(stream.typed(line));
  }

  private List<Effect> retries(StreamLine line) {
    retrying = true;
    return goesOn(line);
  }

  /// A repeated call that succeeds may ask for tools.
  private List<Effect> retried(StreamLine line) {
    retrying = false;
    return line.json().path("success").asBoolean() ? List.of() : idle();
  }

  /// pi announces another call, but does not make it where a complete message, or two failed ones,
  /// end its conversation.
  private List<Effect> compacted(StreamLine line) {
    boolean announced = line.json().path("willRetry").asBoolean();
    return announced && !stream.finished() && !retrying ? List.of() : idle();
  }

  private List<Effect> begun(StreamLine line) {
    if (line.text("/message/role").equals("user")) {
      heard++;
      retrying = false;
    }
    return List.of();
  }

  private List<Effect> ended() {
    working = false;
    boolean heardAll = heard >= said && held.isEmpty();
    return stream.finished() && heardAll ? close() : look();
  }

  private List<Effect> idle() {
    working = false;
    return look();
  }

  private List<Effect> look() {
    if (over) {
      return List.of();
    }
    looks++;
    return List.of(state(String.valueOf(looks)));
  }

  private List<Effect> close() {
    if (over) {
      return List.of();
    }
    over = true;
    return List.of(new Effect.Close());
  }

  private List<Effect> answered(StreamLine line) {
    String id = line.text("/id");
    if (line.text("/command").equals(PROMPT)) {
      unanswered = false;
      return line.json().path("success").asBoolean() ? next() : rejected(line.text("/error"));
    }
    if (id.equals(BEGIN)) {
      return Effect.tell(stream.session(line.text("/data/sessionId")));
    }
    boolean busy = working || line.json().at("/data/isStreaming").asBoolean();
    if (busy || unanswered || !id.equals(String.valueOf(looks))) {
      return List.of();
    }
    boolean unheard = line.json().at("/data/pendingMessageCount").asInt() > 0;
    return unheard && !over ? List.of(say("go-on", GO_ON)) : close();
  }

  private List<Effect> next() {
    return working || !held.isEmpty() ? List.copyOf(handOver()) : look();
  }

  /// pi reports nothing more about what it does not begin.
  private List<Effect> rejected(String why) {
    said--;
    if (working && heard > 0) {
      return next();
    }
    stream.rejected(why);
    return close();
  }

  private static List<Effect> declined(StreamLine line) {
    return DIALOGS.contains(line.text("/method"))
        ? List.of(write(command(line.text("/id"), "extension_ui_response").put("cancelled", true)))
        : List.of();
  }

  private static ObjectNode command(String id, String type) {
    return JsonNodeFactory.instance.objectNode().put("id", id).put("type", type);
  }

  private static Effect.Write write(ObjectNode command) {
    return new Effect.Write(command.toString());
  }
}
