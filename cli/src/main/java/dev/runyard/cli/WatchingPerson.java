package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.cli.client.ClientEvent;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.SafeText;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The person who watches a run at a terminal decides its actions, with one line of input each, in
/// the order they were asked. Somebody else may decide first.
final class WatchingPerson {
  private static final Set<String> YES = Set.of("y", "yes");
  private static final Set<String> NO = Set.of("n", "no");

  private final Terminal terminal;
  private final RunyardClient client;
  private final Map<String, JsonNode> asked = new LinkedHashMap<>();
  private boolean reading;

  WatchingPerson(Terminal terminal, RunyardClient client) {
    this.terminal = terminal;
    this.client = client;
  }

  /// Takes note of actions and decisions.
  void see(ClientEvent event) {
    String id = event.payload().path("actionId").asText();
    switch (event.type()) {
      case "action.required" -> ask(id, event.payload());
      case "action.resolved" -> forget(id);
      default -> {}
    }
  }

  private void ask(String id, JsonNode action) {
    synchronized (asked) {
      asked.put(id, action);
      if (!reading) {
        reading = true;
        Thread.ofPlatform().daemon().name("answers").start(this::read);
      }
    }
    terminal.note(hint(action));
  }

  private static String hint(JsonNode action) {
    List<String> choices = choices(action);
    if (!choices.isEmpty()) {
      List<String> numbered = new ArrayList<>();
      for (int i = 0; i < choices.size(); i++) {
        numbered.add((i + 1) + " " + SafeText.line(choices.get(i)));
      }
      if (permission(action)) {
        numbered.add("n no");
      }
      return "choose [" + String.join(", ", numbered) + "]:";
    }
    return permission(action) ? "allow it? [y/n]:" : "your answer:";
  }

  private void read() {
    BufferedReader in = terminal.input();
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answer(line.strip());
      }
    } catch (IOException e) {
      terminal.note("runyard: cannot read answers: " + e.getMessage());
    }
  }

  private void answer(String line) {
    Map.Entry<String, JsonNode> first;
    synchronized (asked) {
      if (asked.isEmpty()) {
        return;
      }
      first = asked.entrySet().iterator().next();
    }
    JsonNode action = first.getValue();
    Decision decision = decision(action, line);
    if (decision == null) {
      terminal.note(hint(action));
      return;
    }
    switch (client.decide(first.getKey(), decision.decision(), decision.payload())) {
      case ServerReply.Done _ -> forget(first.getKey());
      case ServerReply.Refused refused -> {
        forget(first.getKey());
        terminal.note("runyard: " + refused.problem().detail());
      }
      case ServerReply.Unreachable away -> terminal.note("runyard: " + away.message());
    }
  }

  private void forget(String id) {
    synchronized (asked) {
      asked.remove(id);
    }
  }

  private record Decision(String decision, JsonNode payload) {}

  private static @Nullable Decision decision(JsonNode action, String line) {
    List<String> choices = choices(action);
    String chosen = line;
    if (line.matches("[0-9]{1,2}") && !choices.isEmpty()) {
      int number = Integer.parseInt(line);
      chosen = number >= 1 && number <= choices.size() ? choices.get(number - 1) : "";
    }
    JsonNode payload = JsonNodeFactory.instance.textNode(chosen);
    if (!permission(action)) {
      return chosen.isEmpty() || (!choices.isEmpty() && !choices.contains(chosen))
          ? null
          : new Decision("answer", payload);
    }
    JsonNode none = JsonNodeFactory.instance.nullNode();
    String word = chosen.toLowerCase(Locale.ROOT);
    if (YES.contains(word)) {
      return new Decision("approve", none);
    }
    if (NO.contains(word)) {
      return new Decision("deny", none);
    }
    return choices.contains(chosen) ? new Decision("approve", payload) : null;
  }

  private static boolean permission(JsonNode action) {
    return action.path("actionType").asText().equals("permission");
  }

  private static List<String> choices(JsonNode action) {
    List<String> choices = new ArrayList<>();
    action.path("choices").forEach(choice -> choices.add(choice.asText()));
    return choices;
  }
}
