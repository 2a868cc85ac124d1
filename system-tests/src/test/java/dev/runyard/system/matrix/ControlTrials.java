package dev.runyard.system.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Decisions, missing decisions, messages and cancels during a run.
final class ControlTrials {
  /// Far beyond the grace of these stacks.
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int ACTION_SECONDS = 3;

  private ControlTrials() {}

  static List<Trial> all() {
    return List.of(
        trial("tool refused when nobody can be asked", ControlTrials::refused),
        trial("approval granted", stand -> decided(stand, "approve")),
        trial("approval denied", stand -> decided(stand, "deny")),
        trial("approval not given in time", ControlTrials::undecided),
        trial("paused while it waits, then continues", ControlTrials::paused),
        trial("message while it runs", ControlTrials::message),
        trial("cancelled while it thinks", ControlTrials::cancelThinking),
        trial("cancelled while a tool runs", ControlTrials::cancelTool));
  }

  private static Trial trial(String title, Trial.Course course) {
    return new Trial(Trial.Group.CONTROL, title, course);
  }

  private static Cell refused(Stand stand) throws Exception {
    Path mark = stand.mark("refused");
    Ran ran =
        stand.ended(
            stand.submit(
                "[[sh touch %s]] [[say Done.]]".formatted(mark), stand.subject().restricted(), ""));
    if (Files.exists(mark)) {
      return new Cell.Fails("the command ran");
    }
    return Trial.check(refused(ran), ran.end());
  }

  private static Cell decided(Stand stand, String decision) throws Exception {
    if (stand.subject().asking().isEmpty() || !stand.offers(Capabilities.NON_INTERACTIVE)) {
      return new Cell.NotOffered();
    }
    Path mark = stand.mark(decision);
    String id =
        stand.submit(
            "[[sh echo permitted | tee %s]] [[say Done.]]".formatted(mark),
            stand.subject().asking(),
            "");
    if (decideAll(stand, id, decision) == 0) {
      return new Cell.Fails("it does not ask");
    }
    Ran ran = stand.ended(id);
    boolean approved = decision.equals("approve");
    if (!(approved ? ran.status().equals("completed") : refused(ran))) {
      return new Cell.Fails(ran.end());
    }
    boolean done =
        Files.exists(mark)
            || ran.payloads("tool.result").stream()
                .anyMatch(result -> result.path("preview").asText().contains("permitted"));
    return Trial.check(done == approved, "the decision was not kept to");
  }

  /// Decides everything the run asks until it ends: some agents ask about the command, and about
  /// its folder. Returns how often it asked.
  private static int decideAll(Stand stand, String id, String decision) throws Exception {
    String body = "{\"decision\":\"%s\"}".formatted(decision);
    int asked = 0;
    while (true) {
      JsonNode action = action(stand, id);
      if (action.isMissingNode()) {
        return asked;
      }
      stand.api().post("/v1/actions/" + action.path("action_id").asText(), body);
      asked++;
    }
  }

  /// Some agents end their turn when something is refused.
  private static boolean refused(Ran ran) {
    return ran.status().equals("completed") || ran.code().equals("permission_refused");
  }

  /// The run's pending action; missing when the run ends without one.
  private static JsonNode action(Stand stand, String id) throws Exception {
    while (true) {
      JsonNode view = stand.api().view(id);
      JsonNode action = view.path("await_request");
      if (action.path("status").asText().equals("pending")) {
        return action;
      }
      if (view.path("closed").asBoolean()) {
        return view.path("nothing");
      }
      Stand.aMoment();
    }
  }

  private static Cell undecided(Stand stand) throws Exception {
    if (stand.subject().asking().isEmpty() || !stand.offers(Capabilities.NON_INTERACTIVE)) {
      return new Cell.NotOffered();
    }
    Path mark = stand.mark("undecided");
    Ran ran =
        stand.ended(
            stand.submit(
                "[[sh touch %s]] [[say Done.]]".formatted(mark),
                stand.subject().asking(),
                "\"action_timeout_seconds\":" + ACTION_SECONDS));
    if (Files.exists(mark)) {
      return new Cell.Fails("the command ran");
    }
    List<JsonNode> resolved = ran.payloads("action.resolved");
    if (resolved.isEmpty()) {
      return new Cell.Fails("it does not ask");
    }
    return Trial.check(
        refused(ran) && resolved.getFirst().path("decision").asText().equals("timed_out"),
        ran.end());
  }

  private static Cell paused(Stand stand) throws Exception {
    if (stand.subject().asking().isEmpty() || !stand.offers(Capabilities.NON_INTERACTIVE)) {
      return new Cell.NotOffered();
    }
    String id =
        stand.submit(
            "[[sh echo ran >> made && cat made]] [[say Done.]]", stand.subject().asking(), "");
    JsonNode action = action(stand, id);
    if (action.isMissingNode()) {
      return new Cell.Fails("it does not ask");
    }
    boolean gaveUp = pauses(stand, id);
    stand
        .api()
        .post("/v1/actions/" + action.path("action_id").asText(), "{\"decision\":\"approve\"}");
    Ran ran = stand.ended(id);
    if (!gaveUp) {
      return ran.text().equals("Done.") ? new Cell.NotOffered() : new Cell.Fails(ran.end());
    }
    return Trial.check(
        ran.status().equals("completed")
            && ran.text().equals("Done.")
            && ran.payloads("task.attempt.started").size() == 2
            && ran.payloads("tool.result").size() == 1
            && ran.payloads("action.required").size() == 1,
        ran.end());
  }

  /// True once the run has given up its place, which is waited for however long it takes if its
  /// agent has sessions that can be kept; false if it keeps its place far beyond its grace, or
  /// ends.
  private static boolean pauses(Stand stand, String id) throws Exception {
    long begin = System.nanoTime();
    while (stand.subject().keepsSessions() || System.nanoTime() - begin < KEPT_NANOS) {
      if (Api.types(stand.events(id)).contains("task.paused")) {
        return true;
      }
      if (stand.api().view(id).path("closed").asBoolean()) {
        return false;
      }
      Stand.aMoment();
    }
    return false;
  }

  private static Cell message(Stand stand) throws Exception {
    boolean interactive = stand.offersInteractive(Capabilities.MESSAGE);
    String extensions = interactive ? stand.subject().asking() : stand.subject().permitted();
    String answering = Stand.unique();
    String id;
    Api.Answer answer;
    try (Exchanges.Hold _ = stand.hold(answering)) {
      String thinking = Stand.unique();
      try (Exchanges.Hold _ = stand.hold(thinking)) {
        id = stand.submit(thinking + told(interactive, answering), extensions, "");
        stand.awaitModel(id, thinking);
        answer = stand.say(id, "[[say Heard.]]");
        if (!interactive && !stand.offers(Capabilities.MESSAGE)) {
          stand.api().cancel(id);
          stand.ended(id);
          return answer.code().equals("unsupported_capability")
              ? new Cell.NotOffered()
              : new Cell.Fails("a message is answered with " + answer.status());
        }
        if (interactive) {
          stand.awaitInput(id);
        }
      }
      stand.awaitInput(id);
    }
    Ran ran = stand.ended(id);
    boolean heard =
        answer.status() == 202
            && ran.status().equals("completed")
            && ran.payloads("process.input").size() == 1
            && ran.text().contains("Heard.");
    return Trial.check(heard, interactive, ran.end());
  }

  /// An agent that takes a message only once its model has begun to answer has a tool to call
  /// before it says something.
  private static String told(boolean interactive, String answering) {
    return (interactive ? "" : " [[sh true]] " + answering) + " [[say Unheard.]]";
  }

  private static Cell cancelThinking(Stand stand) throws Exception {
    String mark = Stand.unique();
    String id = stand.submit(mark + " [[hang]]");
    return stand.awaitModel(id, mark)
        ? cancel(stand, id, "thinking")
        : new Cell.Fails(stand.ended(id).end());
  }

  /// The tool has a child in its own process session, which a signal to a group does not reach.
  private static Cell cancelTool(Stand stand) throws Exception {
    Path mark = stand.mark("tool");
    String id =
        stand.submit(
            "[[sh setsid tail -f /dev/null & touch %s; tail -f /dev/null]]".formatted(mark));
    while (!Files.exists(mark)) {
      if (stand.api().view(id).path("closed").asBoolean()) {
        return new Cell.Fails(stand.ended(id).end());
      }
      Stand.aMoment();
    }
    return cancel(stand, id, "with a tool");
  }

  private static Cell cancel(Stand stand, String id, String when) throws Exception {
    List<Long> agents = SystemStack.agents(id);
    long begin = System.nanoTime();
    stand.api().cancel(id);
    while (agents.stream().anyMatch(ControlTrials::lives)) {
      Stand.aMoment();
    }
    long gone = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    Ran ran = stand.ended(id);
    long terminal = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.out.printf(
        "%s cancelled %s: %d processes gone after %d ms, terminal after %d ms%n",
        stand.subject().kind(), when, agents.size(), gone, terminal);
    List<Long> left = SystemStack.agents(id);
    if (!left.isEmpty()) {
      return new Cell.Fails(
          left.stream().map(String::valueOf).collect(Collectors.joining(", ", "left: ", "")));
    }
    return Trial.check(ran.status().equals("cancelled") && !agents.isEmpty(), ran.end());
  }

  private static boolean lives(long pid) {
    return ProcessHandle.of(pid).isPresent();
  }
}
