package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class JavaAgentBackendTest {
  @TempDir private Path directory;

  @Test
  void writesWhatTheAgentEmitsToTheLog() {
    Signals told =
        Signals.of(
            start(
                context -> {
                  context.hub().emit(HubEvent.thinking("hm", context.runId()));
                  context.write("one ");
                  context.write("two");
                  context
                      .hub()
                      .emit(
                          HubEvent.toolStart("search", TextNode.valueOf("cats"), context.runId()));
                  context
                      .hub()
                      .emit(
                          HubEvent.toolComplete(
                              "search", TextNode.valueOf("3 cats"), false, context.runId()));
                  context.hub().emit(HubEvent.of("narrative").with("text", "a story"));
                  context.say(Message.text("user", "whole"));
                }));

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
    String image = "x".repeat(100_000);
    Message message =
        new Message(
            "user",
            List.of(
                MessagePart.text("see"),
                new MessagePart("image/png", image, null, MessagePart.BASE64, "i.png", null)),
            null,
            null);

    Signals told = Signals.of(start(context -> context.say(message)));

    RunEvent.ModelDelta first = (RunEvent.ModelDelta) told.events().getFirst();
    assertTrue(String.valueOf(first.part()).contains("role=agent/worker"));
    assertEquals("see" + image, told.text());
    assertEquals(4, told.events().size());
  }

  @Test
  void failsForTheReasonTheAgentGives() {
    Signals refused =
        Signals.of(
            start(
                _ -> {
                  throw AgentFailure.invalidInput("Wrong question buddy!");
                }));
    Signals broken =
        Signals.of(
            start(
                _ -> {
                  throw new IllegalStateException("with a secret");
                }));

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
    AgentRun run =
        start(
            context -> {
              context.write(context.inbox().pop().orElseThrow().content());
              context.write(context.inbox().pop().orElseThrow().content());
            });
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
    AgentRun run =
        start(
            context -> {
              context.write(context.inbox().pop().orElseThrow().content());
              context.write(context.inbox().pop().orElseThrow().content());
            },
            interactions,
            false);
    run.deliver(accepted);

    assertEquals(List.of(output("one"), took(accepted), output("two")), signals(run).subList(0, 3));
  }

  @Test
  void leavesOutWhatTheContinuedAttemptHasWritten() {
    AgentRun run =
        start(
            context -> {
              for (int i = 0; i < 5; i++) {
                context.write(String.valueOf(i));
              }
            },
            new Interactions(List.of(), List.of(), null, 0, 1, 3),
            true);

    assertTrue(run.canPause());
    assertEquals("34", Signals.of(run).text());
  }

  @Test
  void sendsWithinTheProcessThroughTheLogOnce() throws Exception {
    Working agent =
        new Working(
            true,
            context -> {
              context
                  .hub()
                  .subscribe(
                      HubEvent.AGENT_START,
                      _ -> context.hub().sendToRun(context.runId(), "from a listener"));
              context.hub().emit(HubEvent.agentStart("worker", context.runId()));
              context.write(context.inbox().pop().orElseThrow().content());
            });
    AgentRunRequest first = request(Interactions.EMPTY, false);
    AgentRun run = new JavaAgentBackend(agent).start(first, Requests.context(directory));

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
    AgentRun second = new JavaAgentBackend(agent).start(again, Requests.context(directory));
    second.deliver(back);
    assertEquals(List.of(took(back), output("from a listener")), signals(second).subList(0, 2));
  }

  @Test
  void endsAnAgentThatWaitsWithoutAnEventOfItsEnd() {
    CountDownLatch waiting = new CountDownLatch(1);
    AgentRun run =
        start(
            context -> {
              waiting.countDown();
              try {
                if (context.inbox().pop().isEmpty()) {
                  context.write("ended");
                }
              } finally {
                context.write("too late");
              }
            });
    awaitQuietly(waiting);
    run.stop();

    Signals told = Signals.of(run);
    assertEquals(List.of(), told.events());
    assertEquals(JavaAgentRun.STOPPED, told.end().failure().orElseThrow());
    assertEquals(0, told.end().processesLeft());
  }

  @Test
  void reportsAThreadThatDoesNotEnd() {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AgentRun run =
        new JavaAgentBackend(
                new Working(
                    _ -> {
                      stuck.countDown();
                      while (release.getCount() > 0) {
                        Thread.onSpinWait();
                      }
                    }),
                Duration.ofMillis(20))
            .start(request(Interactions.EMPTY, false), Requests.context(directory));
    awaitQuietly(stuck);
    run.stop();

    AgentSignal.Ended end = Signals.of(run).end();
    release.countDown();
    assertEquals(JavaAgentRun.NOT_STOPPED, end.failure().orElseThrow());
    assertEquals(1, end.processesLeft());
  }

  @Test
  void offersMessagesAndQuestions() {
    AgentManifest manifest = new JavaAgentBackend(new Working(_ -> {})).manifest();

    assertEquals("worker", manifest.kind().name());
    assertTrue(manifest.capabilities().contains(Capabilities.MESSAGE));
    assertFalse(manifest.effective(Map.of(), Capabilities.NON_INTERACTIVE) instanceof TextNode);
    assertEquals(List.of("*/*"), manifest.card().inputContentTypes());
  }

  private AgentRun start(Working.Work work) {
    return start(work, Interactions.EMPTY, false);
  }

  private AgentRun start(Working.Work work, Interactions interactions, boolean continuation) {
    return new JavaAgentBackend(new Working(work))
        .start(request(interactions, continuation), Requests.context(directory));
  }

  private AgentRunRequest request(Interactions interactions, boolean continuation) {
    AgentRunRequest plain = Requests.request("worker", "go", Map.of(), directory);
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

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
