package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.Signals;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaAgentBackendTest {
  @TempDir private Path directory;

  @Test
  void writesWhatTheAgentEmitsToTheLog() {
    Signals told = Signals.of(start(Working.EMITS));

    assertEquals(
        List.of(
            new RunEvent.ReasoningDelta("hm"),
            new RunEvent.ModelDelta("one "),
            new RunEvent.ModelDelta("two"),
            new RunEvent.ToolStarted("tool-1", "search", "other", "cats"),
            new RunEvent.ToolResult("tool-1", "search", "other", null, "3 cats", 6)),
        told.events().subList(0, 5));
    RunEvent.Other kept = (RunEvent.Other) told.events().get(5);
    assertEquals("process.output", kept.type());
    assertEquals("a story", kept.payload().at("/event/text").textValue());
    assertEquals(new RunEvent.ModelCompleted(), told.events().get(6));
    assertEquals(9, told.events().size());
    assertEquals("one twowhole", told.text());
    assertTrue(told.end().failure().isEmpty());
  }

  @Test
  void keepsThePartsOfAMessageAndGivesItTheAgentsRole() {
    Signals told = Signals.of(start(Working.SAYS_PARTS));

    RunEvent.ModelDelta first = (RunEvent.ModelDelta) told.events().getFirst();
    assertTrue(String.valueOf(first.part()).contains("role=agent/worker"));
    assertEquals("see" + "x".repeat(Working.IMAGE_CHARS), told.text());
    assertEquals(4, told.events().size());
  }

  @Test
  void failsForTheReasonTheAgentGives() {
    Signals refused = Signals.of(start(Working.REFUSES));
    Signals broken = Signals.of(start(Working.BREAKS));

    assertEquals(
        new Failure("invalid_input", Category.CALLER, "Wrong question buddy!"),
        refused.end().failure().orElseThrow());
    assertEquals(
        Failure.backend("agent_failed", "The agent threw IllegalStateException."),
        broken.end().failure().orElseThrow());
  }

  @Test
  void saysThatAMessageWasTakenBeforeWhatFollowsFromIt() {
    AgentInput.Said one = said(10, "one");
    AgentInput.Said two = said(11, "two");
    AgentRun run = start(Working.REPEATS_TWO);
    run.deliver(one);
    run.deliver(two);

    assertEquals(
        List.of(took(one), output("one"), took(two), output("two")), signals(run).subList(0, 4));
  }

  @Test
  void deliversAMessageAgainThatALostRunnerDidNotDeliver() {
    InboxMessage taken = message(10, "one", 12);
    AgentInput.Said accepted = said(13, "two");
    Interactions interactions =
        new Interactions(List.of(), List.of(taken, accepted.message()), null, 0, 0, 0);
    AgentRun run = start(Working.REPEATS_TWO, interactions, false);
    run.deliver(accepted);

    assertEquals(List.of(output("one"), took(accepted), output("two")), signals(run).subList(0, 3));
  }

  @Test
  void leavesOutWhatTheContinuedAttemptHasWritten() {
    AgentRun run =
        start(Working.COUNTS, new Interactions(List.of(), List.of(), null, 0, 1, 3), true);

    assertEquals(Pausable.YES, run.canPause().resultNow());
    assertEquals("34", Signals.of(run).text());
  }

  @Test
  void sendsWithinTheProcessThroughTheLogOnce() throws Exception {
    AgentRunRequest first = request(Working.HEARS_OF_ITSELF, Interactions.EMPTY, false);
    AgentRun run = backend().start(first, Requests.context(directory));

    RunEvent.ChannelMessage sent = (RunEvent.ChannelMessage) Signals.next(run);
    assertEquals("from a listener", sent.content());
    AgentInput.Said back =
        new AgentInput.Said(
            new InboxMessage(
                9, Instant.EPOCH, sent.messageId(), sent.content(), "print", "agent", 0, null));
    run.deliver(back);
    assertEquals(took(back), signals(run).getFirst());

    Interactions interactions = new Interactions(List.of(), List.of(back.message()), null, 0, 0, 0);
    AgentRunRequest again =
        new AgentRunRequest(
            first.kind(),
            first.runId(),
            "attempt-2",
            first.prompt(),
            Map.of(),
            directory,
            directory,
            Map.of(),
            new RunContext(first.standing().run(), "session-1", List.of(), interactions, false));
    AgentRun second = backend().start(again, Requests.context(directory));
    second.deliver(back);
    assertEquals(List.of(took(back), output("from a listener")), signals(second).subList(0, 2));
  }

  @Test
  void endsAnAgentThatWaitsWithoutAnEventOfItsEnd() {
    AgentRun run = start(Working.WAITS);
    assertEquals(new RunEvent.ModelDelta("waiting"), Signals.next(run));
    run.stop();

    Signals told = Signals.of(run);
    assertEquals(List.of(), told.events());
    assertEquals(JavaAgentOutcome.STOPPED, told.end().failure().orElseThrow());
    assertEquals(0, told.end().processesLeft());
  }

  @Test
  void takesAllMessagesARunCanHaveAtOnce() {
    AgentRun run = start(Working.WEIGHS);
    String content = "\u00e9".repeat(Limits.MESSAGE_CONTENT_BYTES_MAX / 2);
    for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
      run.deliver(said(10 + i, content));
    }

    List<AgentSignal> all = signals(run);
    assertEquals(
        Limits.MESSAGES_MAX, all.stream().filter(AgentSignal.Took.class::isInstance).count());
    assertEquals(
        output(String.valueOf((long) content.length() * Limits.MESSAGES_MAX)),
        all.get(Limits.MESSAGES_MAX));
  }

  @Test
  void carriesAnyTextOfAnyLength() {
    Signals told = Signals.of(start(Working.SAYS_LONG));

    assertEquals("\u00e9".repeat(Working.LONG_CHARS) + "\ufffd", told.text());
    RunEvent.ToolResult result = (RunEvent.ToolResult) told.events().get(told.events().size() - 2);
    assertEquals(Working.LONG_CHARS, result.outputBytes());
  }

  @Test
  void offersMessagesAndQuestions() {
    AgentManifest manifest = backend().manifest();

    assertEquals("worker", manifest.kind().name());
    assertTrue(manifest.capabilities().contains(Capabilities.MESSAGE));
    assertFalse(manifest.effective(Map.of(), Capabilities.NON_INTERACTIVE) instanceof TextNode);
    assertEquals(List.of("*/*"), manifest.card().inputContentTypes());
  }

  private AgentRun start(String work) {
    return start(work, Interactions.EMPTY, false);
  }

  private AgentRun start(String work, Interactions interactions, boolean continuation) {
    return backend().start(request(work, interactions, continuation), Requests.context(directory));
  }

  private JavaAgentBackend backend() {
    return new JavaAgentBackend(AgentJar.of(new Working(), directory));
  }

  private AgentRunRequest request(String work, Interactions interactions, boolean continuation) {
    AgentRunRequest plain = Requests.request("worker", work, Map.of(), directory);
    return new AgentRunRequest(
        plain.kind(),
        plain.runId(),
        plain.attemptId(),
        plain.prompt(),
        Map.of(),
        directory,
        directory,
        Map.of(),
        new RunContext(plain.standing().run(), "session-1", List.of(), interactions, continuation));
  }

  private static List<AgentSignal> signals(AgentRun run) {
    List<AgentSignal> all = new ArrayList<>();
    Signals.until(
        () -> {
          all.addAll(run.take(100));
          return !all.isEmpty() && all.getLast() instanceof AgentSignal.Ended;
        });
    return all;
  }

  private static AgentInput.Said said(long sequence, String content) {
    return new AgentInput.Said(message(sequence, content, 0));
  }

  private static InboxMessage message(long sequence, String content, long takenAt) {
    return new InboxMessage(
        sequence, Instant.EPOCH, "m-" + sequence, content, "print", null, takenAt, null);
  }

  private static AgentSignal took(AgentInput input) {
    return new AgentSignal.Took(input, Optional.empty());
  }

  private static AgentSignal output(String text) {
    return new AgentSignal.Output(new RunEvent.ModelDelta(text));
  }
}
