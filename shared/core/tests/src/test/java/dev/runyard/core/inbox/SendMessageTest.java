package dev.runyard.core.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SendMessageTest {
  private static final Requester ME = Requester.of("somebody");
  private static final Optional<String> NO_KEY = Optional.empty();
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(5));
  private final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final UseCases cases = new UseCases(ports, clock, ids, "test");
  private final RunLog runs = cases.runs();
  private final SendMessage messages =
      cases.sendMessage(
          new AgentCatalog(
              List.of(agent("listens", true), agent("asks", false), agent("deaf", false))));

  @Test
  void isInTheLogOnceItIsAccepted() {
    RunKey run = run("listens");

    InboxMessage sent = accepted(messages.send(run, "hello", NO_KEY, ME));

    assertEquals("hello", sent.content());
    assertEquals(List.of(sent), inbox(run));
  }

  @Test
  void wakesTheRunnerThatHasTheRun() {
    RunKey run = run("listens");
    accepted(messages.send(run, "while nobody has it", NO_KEY, ME));
    assertEquals(Optional.empty(), ports.wakeups().last("runner"));
    claim(run);

    accepted(messages.send(run, "hello", NO_KEY, ME));
    String first = ports.wakeups().last("runner").orElseThrow();
    accepted(messages.send(run, "and again", NO_KEY, ME));

    assertNotEquals(first, ports.wakeups().last("runner").orElseThrow());
  }

  @Test
  void messagesWithoutAKeyAreDifferentMessages() {
    RunKey run = run("listens");
    accepted(messages.send(run, "hello", NO_KEY, ME));
    accepted(messages.send(run, "hello", NO_KEY, ME));

    assertEquals(2, inbox(run).size());
  }

  @Test
  void theSameKeyIsTheSameMessage() {
    RunKey run = run("listens");
    InboxMessage first = accepted(messages.send(run, "hello", Optional.of("k-1"), ME));

    assertEquals(first, accepted(messages.send(run, "hello", Optional.of("k-1"), ME)));
    assertEquals(
        ProblemCode.IDEMPOTENCY_MISMATCH,
        rejected(messages.send(run, "bye", Optional.of("k-1"), ME)).code());
    accepted(messages.send(run, "bye", Optional.of("k-2"), ME));

    assertEquals(List.of("hello", "bye"), inbox(run).stream().map(InboxMessage::content).toList());
  }

  /// A key may be long and contain anything; a message's id has a form of its own.
  @Test
  void anIdDoesNotShowTheKey() {
    RunKey run = run("listens");

    String id =
        accepted(messages.send(run, "hello", Optional.of("geheim " + "x".repeat(500)), ME))
            .messageId();

    assertEquals(36, id.length());
    assertEquals("key-", id.substring(0, 4));
  }

  @Test
  void isRefusedWhereThereIsNoRun() {
    RunKey run = new RunKey("default", ids.runId(clock.instant()));

    assertEquals(
        ProblemCode.RUN_NOT_FOUND, rejected(messages.send(run, "hello", NO_KEY, ME)).code());
  }

  @Test
  void isRefusedByAnAgentThatTakesNone() {
    for (String agent : List.of("deaf", "gone")) {
      RunKey run = run(agent);

      Problem problem = rejected(messages.send(run, "hello", NO_KEY, ME));

      assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
      assertEquals(
          "unsupported capability for " + agent + ": agent_api.control.message.v1",
          problem.detail());
      assertEquals(List.of(), inbox(run));
    }
  }

  @Test
  void isTakenByAnAgentThatMayAskAndRefusedWhereItMayNot() {
    JsonNode no = JsonNodeFactory.instance.booleanNode(false);
    accepted(
        messages.send(run("asks", Map.of(Capabilities.NON_INTERACTIVE, no)), "hello", NO_KEY, ME));

    Problem problem = rejected(messages.send(run("asks"), "hello", NO_KEY, ME));

    assertEquals(
        "unsupported capability for asks: agent_api.control.message.v1"
            + " while agent_api.exec.non_interactive is true",
        problem.detail());
  }

  @Test
  void isRefusedOnceTheInboxIsFull() {
    RunKey run = run("listens");
    for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
      accepted(messages.send(run, "hello", NO_KEY, ME));
    }

    assertEquals(ProblemCode.INBOX_FULL, rejected(messages.send(run, "hello", NO_KEY, ME)).code());
  }

  @Test
  void isRefusedOnceTheRunEnds() {
    RunKey run = run("listens");
    claim(run);
    cases.cancelRun().cancel(run, "enough", "somebody");
    Problem cancelling = rejected(messages.send(run, "hello", NO_KEY, ME));
    assertEquals(ProblemCode.RUN_CLOSED, cancelling.code());
    assertEquals("The run is being cancelled.", cancelling.detail());

    runs.execute(
        run,
        new RunCommand.Report(
            "attempt-1",
            List.of(new RunEvent.AttemptFailed(1, "attempt-1", Failure.notAnswered()))));
    cases.advanceRun().advance(run);

    Problem ended = rejected(messages.send(run, "hello", NO_KEY, ME));
    assertEquals(ProblemCode.RUN_CLOSED, ended.code());
    assertEquals("The run has ended as cancelled.", ended.detail());
  }

  private static InboxMessage accepted(SendMessage.Result result) {
    return assertInstanceOf(SendMessage.Result.Accepted.class, result).message();
  }

  private static Problem rejected(SendMessage.Result result) {
    return assertInstanceOf(SendMessage.Result.Rejected.class, result).problem();
  }

  private List<InboxMessage> inbox(RunKey run) {
    return ((RunState.Existing) runs.load(run)).facts().interactions().inbox();
  }

  private void claim(RunKey run) {
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
  }

  private RunKey run(String agent) {
    return run(agent, Map.of());
  }

  private RunKey run(String agent, Map<String, JsonNode> extensions) {
    RunKey run = new RunKey("default", ids.runId(clock.instant()));
    RunRequest request =
        new RunRequest(
            agent,
            "hi",
            run.runId(),
            extensions,
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    runs.execute(run, new RunCommand.Submit(request));
    return run;
  }

  /// One takes messages always, one only where it may ask, one never.
  private static AgentManifest agent(String kind, boolean listens) {
    TreeSet<String> can = new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS));
    if (listens) {
      can.add(Capabilities.MESSAGE);
    }
    TreeSet<String> interactive = new TreeSet<>();
    if (kind.equals("asks")) {
      interactive.add(Capabilities.MESSAGE);
    }
    return new AgentManifest(
        new AgentKind(kind),
        kind,
        kind,
        can,
        List.of(),
        List.of(),
        AgentCard.ANYTHING,
        interactive);
  }
}
