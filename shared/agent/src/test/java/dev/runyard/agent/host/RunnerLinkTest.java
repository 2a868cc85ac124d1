package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.InjectedMessage;
import dev.runyard.agent.channel.Channel;
import dev.runyard.agent.channel.FromAgent;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// What the runner has been written when a call returns, and what it is never written.
final class RunnerLinkTest {
  private static final int ROUNDS = 200;
  private static final RunEvent MORE = new RunEvent.ModelDelta("more");
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
  private static final ToAgent.Start START =
      new ToAgent.Start(
          "leaver", Leaver.class.getName(), RUN, "t-1", "s", "go", List.of(), Interactions.EMPTY);
  private static final AgentInput SAID =
      new AgentInput.Said(new InboxMessage(7, Instant.EPOCH, "m-1", "hi", "p", null, 0, null));
  private static final Action DECIDED =
      new Action(
          ActionId.of(RUN, 1),
          ActionType.QUESTION,
          "Well?",
          null,
          List.of(),
          null,
          Instant.EPOCH,
          Instant.EPOCH,
          new Action.Resolution(
              8, Instant.EPOCH, ActionDecision.ANSWER, Question.answer("yes"), "ada"),
          0,
          5,
          null);
  private static final Question ASKED =
      new Question(DECIDED.actionId(), ActionType.QUESTION, "Well?", null, List.of(), 0, null);
  private static final FromAgent ENDED = new FromAgent.Ended(Optional.empty());

  @RepeatedTest(ROUNDS)
  void hasWrittenThatTheAgentStartedBeforeTheAgentMayEndItsProcess() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();

    new RunnerLink(Outbox.to(written)).started();

    assertEquals(List.of(new Channel.Read.Whole(new FromAgent.Started())), read(written));
  }

  @Test
  void startsAnAgentWhoseRunnerReadsNothingAnyMore() throws IOException {
    OutputStream broken = new PipedOutputStream(closed());

    new RunnerLink(Outbox.to(broken)).started();
  }

  @Test
  void isWrittenNothingAfterTheEnd() throws InterruptedException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Outbox outbox = Outbox.to(written);
    RunnerLink link = new RunnerLink(outbox);
    assertTrue(link.tell(MORE));
    link.end(Optional.empty());

    assertFalse(link.tell(MORE));
    assertFalse(link.ask(ASKED));
    assertFalse(link.took(SAID));
    link.refuse(SAID);

    outbox.drain();
    assertEquals(whole(new FromAgent.Told(MORE), ENDED), read(written));
  }

  @Test
  void doesNotKeepThoseThatWaitForRoomOnceTheLastLinesAreThere() throws Exception {
    SlowStream stream = new SlowStream();
    Outbox outbox = Outbox.to(stream);
    outbox.putAtOnce(List.of("first"));
    stream.reached.await();
    String large = "x".repeat(Outbox.WAITING_BYTES_MAX + 1);
    assertTrue(outbox.put(List.of(large)));
    FutureTask<Boolean> late = new FutureTask<>(() -> outbox.put(List.of("late")));
    Thread waiting = Thread.ofPlatform().daemon().start(late);
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    outbox.putLast(List.of("last"));

    assertFalse(late.get());
    stream.released.countDown();
    outbox.drain();
    assertEquals(
        List.of("first", large, "last"),
        stream.written.toString(StandardCharsets.US_ASCII).lines().toList());
  }

  @Test
  void isWrittenNothingOfWhatThreadsThatTheAgentLeftDoAfterTheEnd() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Outbox outbox = Outbox.to(written);
    CompletableFuture<Optional<Failure>> ended = new CompletableFuture<>();
    AgentExecution execution =
        new AgentExecution(
            START, new RunnerLink(outbox), InstantSource.fixed(Instant.EPOCH), ended::complete);
    execution.begin();
    assertEquals(Optional.empty(), ended.get());
    Left left = Leaver.LEFT.remove();

    execution.deliver(SAID);
    execution.deliver(new AgentInput.Decided(DECIDED));
    left.context().write("more");
    left.context()
        .hub()
        .subscribe(
            _ -> {
              throw new IllegalStateException("broken");
            });
    left.context().hub().emit(HubEvent.of("narrative"));

    assertEquals(Optional.empty(), left.message().get());
    ExecutionException unanswered = assertThrows(ExecutionException.class, left.answer()::get);
    assertInstanceOf(InterruptedException.class, unanswered.getCause());
    assertFalse(left.context().hub().sendToRun(RUN.runId(), "to myself"));
    outbox.drain();
    assertEquals(whole(new FromAgent.Started(), new FromAgent.Asked(ASKED), ENDED), read(written));
  }

  /// What an agent leaves: a thread that waits for a message and one that waits for an answer.
  private record Left(
      AgentContext context,
      FutureTask<Optional<InjectedMessage>> message,
      FutureTask<Answer> answer) {}

  /// Returns once it has asked, without its answer.
  static final class Leaver implements AgentDefinition {
    static final Queue<Left> LEFT = new ConcurrentLinkedQueue<>();

    public Leaver() {}

    @Override
    public String name() {
      return "leaver";
    }

    @Override
    public List<Message> execute(AgentRequest request, AgentContext context)
        throws InterruptedException {
      CountDownLatch asked = new CountDownLatch(1);
      context.hub().subscribe(HubEvent.SESSION_PROMPT, _ -> asked.countDown());
      Left left =
          new Left(
              context,
              new FutureTask<>(context.inbox()::pop),
              new FutureTask<>(() -> context.ask(Ask.question("Well?"))));
      LEFT.add(left);
      Thread.ofPlatform().daemon().start(left.message());
      Thread.ofPlatform().daemon().start(left.answer());
      asked.await();
      return List.of();
    }
  }

  /// A stream whose reader does not read until it is released.
  private static final class SlowStream extends OutputStream {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      written.write(bytes, from, count);
    }
  }

  private static List<Channel.Read> whole(FromAgent... messages) {
    return Stream.of(messages).<Channel.Read>map(Channel.Read.Whole::new).toList();
  }

  private static List<Channel.Read> read(ByteArrayOutputStream written) {
    Channel.Lines lines = new Channel.Lines();
    return written.toString(StandardCharsets.US_ASCII).lines().map(lines::add).toList();
  }

  private static PipedInputStream closed() throws IOException {
    PipedInputStream in = new PipedInputStream();
    in.close();
    return in;
  }
}
