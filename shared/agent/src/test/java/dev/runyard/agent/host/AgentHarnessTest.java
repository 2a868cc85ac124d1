package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.InjectedMessage;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.agent.hub.HubScope;
import dev.runyard.agent.hub.Hubs;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.message.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AgentHarnessTest {
  private static final int MESSAGES_MAX = 2;

  private final LocalHub hub = Hubs.hub("s-1");
  private final AtomicInteger runs = new AtomicInteger();
  private final AgentHarness harness =
      new AgentHarness(hub, new Host(), () -> "run-" + runs.getAndIncrement());
  private final List<HubEvent> heard = Collections.synchronizedList(new ArrayList<>());

  /// An agent of the given name and work.
  private record Working(String name, boolean emitsStartComplete, Work work)
      implements AgentDefinition {
    interface Work {
      List<Message> execute(AgentRequest request, AgentContext context) throws Exception;
    }

    @Override
    public List<Message> execute(AgentRequest request, AgentContext context) throws Exception {
      return work.execute(request, context);
    }
  }

  private static final class Host implements AgentHost {
    @Override
    public Mailbox open(String runId) {
      BoundedInbox inbox = new BoundedInbox(MESSAGES_MAX);
      return new Mailbox(
          inbox, content -> inbox.offer(new InjectedMessage(content, Instant.EPOCH), () -> {}));
    }

    @Override
    public Answer ask(String runId, Ask ask) {
      throw new IllegalStateException("nobody is there to ask");
    }

    @Override
    public List<Message> history() {
      return List.of();
    }
  }

  private List<Message> execute(boolean emits, Working.Work work) throws Exception {
    return harness.wrap(new Working("worker", emits, work)).execute(AgentRequest.of("go"));
  }

  @Test
  void reportsStartAndCompleteAroundTheWork() throws Exception {
    hub.subscribe(event -> heard.add(event.event()));

    List<Message> result =
        execute(
            false,
            (request, context) -> {
              context.write(request.prompt() + " in " + context.sessionId());
              return List.of();
            });

    assertEquals(List.of(), result);
    assertEquals(
        List.of(
            HubEvent.agentStart("worker", "run-0"),
            HubEvent.text("go in s-1", "run-0"),
            HubEvent.agentComplete("worker", true, "run-0")),
        heard);
  }

  @Test
  void reportsACompleteWithoutSuccessAndThrowsWhatTheAgentThrew() {
    hub.subscribe("agent:complete", event -> heard.add(event.event()));
    AgentFailure why = AgentFailure.invalidInput("no");

    Exception thrown =
        assertThrows(
            AgentFailure.class,
            () ->
                execute(
                    false,
                    (_, _) -> {
                      throw why;
                    }));

    assertSame(why, thrown);
    assertEquals(List.of(HubEvent.agentComplete("worker", false, "run-0")), heard);
  }

  @Test
  void leavesStartAndCompleteToAnAgentThatEmitsThem() throws Exception {
    hub.subscribe("agent:*", event -> heard.add(event.event()));

    execute(
        true,
        (_, context) -> {
          context.hub().emit(HubEvent.agentStart("worker", context.runId()));
          context.hub().emit(HubEvent.agentComplete("worker", true, context.runId()));
          return List.of();
        });

    assertEquals(
        List.of(
            HubEvent.agentStart("worker", "run-0"),
            HubEvent.agentComplete("worker", true, "run-0")),
        heard);
  }

  @Test
  void keepsAMessageThatAListenerOfTheStartSends() throws Exception {
    hub.subscribe(
        HubEvent.AGENT_START,
        event -> assertTrue(hub.sendToRun(event.event().text("runId").orElseThrow(), "early")));

    execute(
        false,
        (_, context) -> {
          heard.add(HubEvent.of(context.inbox().pop().orElseThrow().content()));
          return List.of();
        });

    assertEquals(List.of(HubEvent.of("early")), heard);
  }

  @Test
  void givesRunsOfOneAgentTheirOwnIdsAndInboxes() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    ExecutableAgent agent =
        harness.wrap(
            new Working(
                "worker",
                false,
                (_, context) -> {
                  both.countDown();
                  String said = context.inbox().pop().orElseThrow().content();
                  return List.of(Message.text("agent", context.runId() + " heard " + said));
                }));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<Message>> one = threads.submit(() -> agent.execute(AgentRequest.of("a")));
      Future<List<Message>> two = threads.submit(() -> agent.execute(AgentRequest.of("b")));
      both.await();

      assertFalse(hub.sendTo("worker", "which of you?"));
      assertTrue(hub.sendToRun("run-1", "one"));
      assertTrue(hub.sendToRun("run-0", "zero"));

      assertEquals(
          List.of("run-0 heard zero", "run-1 heard one"),
          List.of(one.get().getFirst().text(), two.get().getFirst().text()).stream()
              .sorted()
              .toList());
    }
    assertFalse(hub.sendToRun("run-0", "too late"));
  }

  @Test
  void sendsByNameWhereThereIsOneRun() throws Exception {
    execute(
        false,
        (_, context) -> {
          assertTrue(context.hub().sendTo("worker", "to you"));
          assertFalse(context.hub().sendTo("nobody", "to nobody"));
          assertEquals("to you", context.inbox().pop().orElseThrow().content());
          return List.of();
        });
  }

  @Test
  void drainsWithoutWaitingAndRefusesWhatDoesNotFit() throws Exception {
    execute(
        false,
        (_, context) -> {
          assertEquals(List.of(), context.inbox().drain());
          assertTrue(context.hub().sendToRun(context.runId(), "a"));
          assertTrue(context.hub().sendToRun(context.runId(), "b"));
          assertFalse(context.hub().sendToRun(context.runId(), "c"));
          assertEquals(
              List.of("a", "b"),
              context.inbox().drain().stream().map(InjectedMessage::content).toList());
          return List.of();
        });
  }

  @Test
  void endsTheInboxWithTheRun() throws Exception {
    List<AgentContext> contexts = new ArrayList<>();
    execute(
        false,
        (_, context) -> {
          contexts.add(context);
          return List.of();
        });

    AgentContext over = contexts.getFirst();
    assertEquals(Optional.empty(), over.inbox().pop());
    assertFalse(over.inbox().iterator().hasNext());
  }

  @Test
  void endsTheInboxesOfAnAbortedSession() throws Exception {
    execute(
        false,
        (_, context) -> {
          context.hub().abort("enough");
          List<InjectedMessage> none = new ArrayList<>();
          context.inbox().forEach(none::add);
          assertEquals(List.of(), none);
          return List.of();
        });
  }

  @Test
  void saysWhichAgentAnEventIsOf() throws Exception {
    List<HubScope> scopes = new ArrayList<>();
    hub.subscribe(event -> scopes.add(event.context().scope()));

    execute(false, (_, _) -> List.of());

    assertEquals(List.of(HubScope.agent("worker"), HubScope.agent("worker")), scopes);
  }
}
