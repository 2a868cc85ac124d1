package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/// What a CLI asks people over its own protocol: keeps track of which request waits for which
/// action.
///
/// A resumed CLI asks again what it had asked before. The question is recognised by its
/// fingerprint, a hash of the tool and its input, and gets the decision from the log. A decision
/// that the agent had already taken is used up: what it permitted was done, so if the CLI asks
/// again, a person is asked again.
///
/// Not thread-safe.
///
/// @param <R> a request of the CLI, in the form needed to answer it
public final class CliQuestions<R extends CliQuestions.Request> {
  /// Most bytes of a tool's input shown with the question, as compact JSON.
  public static final int INPUT_BYTES_MAX = 6 * 1024;

  /// Most levels of it, fewer than those of the question that it is in.
  static final int INPUT_DEPTH_MAX = 64;

  /// Requests that wait at once: more than [dev.runyard.core.limits.Limits#ACTIONS_PENDING_MAX], as
  /// the denial of those beyond takes a while.
  public static final int WAITING_MAX = 64;

  /// Characters of them together, unless there is only one.
  public static final int WAITING_CHARS_MAX = 4 * 1024 * 1024;

  private static final String PRINT = "print";
  private static final int PRINT_CHARS = 32;

  private final RunKey run;
  private final Map<String, Deque<String>> before = new HashMap<>();
  private final Map<String, R> waiting = new HashMap<>();
  private final Map<String, AgentInput.Decided> early = new HashMap<>();
  private int asked;

  public CliQuestions(RunContext standing) {
    this.run = standing.run();
    this.asked = standing.interactions().actions().size();
    for (Action action : standing.interactions().actions()) {
      JsonNode payload = action.payload();
      if ((action.pending() || action.undelivered()) && payload != null) {
        before
            .computeIfAbsent(payload.path(PRINT).asText(""), _ -> new ArrayDeque<>())
            .add(action.actionId());
      }
    }
  }

  /// What is kept of a request of a CLI until it is answered.
  public interface Request {
    /// The characters that it holds.
    int chars();
  }

  /// A question of a CLI.
  ///
  /// @param tool that the CLI wants to use
  /// @param input of the tool
  /// @param call the CLI's id of this use of the tool; empty if it does not say
  public record Ask(
      ActionType type,
      String prompt,
      List<String> choices,
      String tool,
      JsonNode input,
      String call) {
    public Ask {
      choices = List.copyOf(choices);
    }

    private String print() {
      return Digest.hex(tool + "\n" + input).substring(0, PRINT_CHARS);
    }

    private Question as(String actionId) {
      ObjectNode payload = JsonNodeFactory.instance.objectNode();
      payload.put("tool", Bounds.truncate(Bounds.wellFormed(tool), Bounds.CHANNEL_BYTES_MAX));
      payload.set("input", Bounds.data(input, INPUT_BYTES_MAX, INPUT_DEPTH_MAX));
      payload.put(PRINT, print());
      return new Question(
          actionId, type, prompt, null, choices, 0, payload, call.isEmpty() ? null : call);
    }
  }

  /// The result of a request of the CLI.
  public sealed interface Reply {
    /// It waits for a person; the effects ask, unless that was done before.
    record Waits(List<Effect> moves) implements Reply {
      public Waits {
        moves = List.copyOf(moves);
      }
    }

    /// It was decided before it was asked again. The decision counts as taken with the answer.
    record Decided(AgentInput.Decided decision) implements Reply {}

    /// Too many wait already: it is to be refused at once.
    record Full() implements Reply {}
  }

  /// The CLI asks.
  public Reply ask(R request, Ask ask) {
    if (full(request)) {
      return new Reply.Full();
    }
    Deque<String> known = before.get(ask.print());
    String id = known == null ? null : known.poll();
    if (id == null) {
      asked++;
      id = ActionId.of(run, asked);
      waiting.put(id, request);
      return new Reply.Waits(List.of(new Effect.Ask(ask.as(id))));
    }
    AgentInput.Decided decision = early.remove(id);
    if (decision != null) {
      return new Reply.Decided(decision);
    }
    waiting.put(id, request);
    return new Reply.Waits(List.of());
  }

  private boolean full(R request) {
    long chars = waiting.values().stream().mapToLong(Request::chars).sum() + request.chars();
    return waiting.size() >= WAITING_MAX || (chars > WAITING_CHARS_MAX && !waiting.isEmpty());
  }

  /// The request that a decision answers; empty while the CLI has not asked it again.
  public Optional<R> decided(AgentInput.Decided decision) {
    String id = decision.action().actionId();
    R request = waiting.remove(id);
    if (request == null) {
      early.put(id, decision);
    }
    return Optional.ofNullable(request);
  }

  /// The CLI wants no answer to these requests any more.
  public void withdraw(Predicate<R> requests) {
    waiting.values().removeIf(requests);
  }

  /// True while the CLI waits for a person.
  public boolean waits() {
    return !waiting.isEmpty();
  }

  /// The decisions the CLI never asked for again, which are removed.
  public List<AgentInput.Decided> leftOver() {
    List<AgentInput.Decided> left = new ArrayList<>(early.values());
    early.clear();
    return left;
  }

  /// Refuses them once the CLI will ask nothing more.
  public List<Effect.Prompt> refuseLeftOver() {
    return leftOver().stream()
        .<Effect.Prompt>map(left -> new Effect.Refuse(left, "the agent did not ask again"))
        .toList();
  }

  /// The comment of a decision, empty if there is none.
  public static String comment(Action action) {
    Action.Resolution resolution = action.resolution();
    JsonNode payload = resolution == null ? null : resolution.payload();
    return payload == null || !payload.isTextual()
        ? ""
        : Objects.requireNonNullElse(payload.textValue(), "").strip();
  }
}
