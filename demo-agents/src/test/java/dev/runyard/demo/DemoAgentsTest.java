package dev.runyard.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.host.AgentHarness;
import dev.runyard.agent.host.AgentHost;
import dev.runyard.agent.host.BoundedInbox;
import dev.runyard.agent.host.InstalledAgent;
import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.agent.host.Mailbox;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each demo agent does what its description says.
final class DemoAgentsTest {
  private static final Message HELLO = Message.text("user", "Howdy!");
  private static final Message EARLIER = Message.text("agent", "earlier");

  private final List<Ask> asked = new ArrayList<>();

  private final class Host implements AgentHost {
    @Override
    public Mailbox open(String runId) {
      return new Mailbox(new BoundedInbox(1), _ -> false);
    }

    @Override
    public Answer ask(String runId, Ask ask) {
      asked.add(ask);
      return new Answer(ActionDecision.ANSWER, null);
    }

    @Override
    public List<Message> history() {
      return List.of(EARLIER);
    }
  }

  /// All messages of the agent, including its result.
  private List<Message> said(String name, Message... input) throws Exception {
    AgentDefinition agent =
        installed().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    LocalHub hub = new LocalHub("s-1", () -> "e", InstantSource.system(), _ -> {});
    List<Message> said = new ArrayList<>();
    hub.subscribe(
        HubEvent.AGENT_TEXT,
        event ->
            said.add(
                new Answer(
                        ActionDecision.ANSWER,
                        Objects.requireNonNull(event.event().members().get(HubEvent.MESSAGE)))
                    .message()));
    new AgentHarness(hub, new Host(), () -> "run-1")
        .wrap(agent)
        .execute(new AgentRequest("Howdy!", List.of(input)));
    return said;
  }

  private static Stream<AgentDefinition> installed() {
    return ServiceLoader.load(AgentDefinition.class).stream().map(ServiceLoader.Provider::get);
  }

  @Test
  void areNineAndHaveManifests() {
    List<AgentManifest> manifests =
        installed()
            .map(
                agent ->
                    InstalledAgents.manifest(
                        new InstalledAgent(
                            agent.getClass().getName(),
                            agent.name(),
                            agent.description(),
                            agent.card(),
                            List.of())))
            .toList();

    assertEquals(
        List.of(
            "artifact_producer",
            "awaiter",
            "base64_encoding",
            "failer",
            "history_echo",
            "mime_types",
            "raiser",
            "sessioner",
            "slow_echo"),
        manifests.stream().map(manifest -> manifest.kind().name()).sorted().toList());
  }

  @Test
  void echoSlowly() throws Exception {
    assertEquals(List.of(HELLO), said("slow_echo", HELLO));
  }

  @Test
  void echoTheHistoryThenTheInput() throws Exception {
    assertEquals(List.of(EARLIER, HELLO), said("history_echo", HELLO));
  }

  @Test
  void awaitAMessageWithAnEmptyOne() throws Exception {
    assertEquals(List.of("empty"), said("awaiter", HELLO).stream().map(Message::text).toList());
    Ask ask = asked.getFirst();
    assertEquals(ActionType.MESSAGE, ask.type());
    assertEquals(List.of(), new Answer(ActionDecision.ANSWER, ask.payload()).message().parts());
  }

  @Test
  void failOverTheInput() {
    for (String name : List.of("failer", "raiser")) {
      AgentFailure failure = assertThrows(AgentFailure.class, () -> said(name, HELLO));
      assertEquals("invalid_input", failure.failure().code());
      assertEquals("Wrong question buddy!", failure.failure().message());
    }
  }

  @Test
  void sayTheSession() throws Exception {
    assertEquals("s-1", said("sessioner", HELLO).getFirst().text());
  }

  @Test
  void sayFourPartsOfTheTypesTheyDeclare() throws Exception {
    List<MessagePart> parts = said("mime_types", HELLO).getFirst().parts();

    assertEquals(
        new MimeTypes().card().outputContentTypes(),
        parts.stream().map(MessagePart::contentType).toList());
    assertEquals(4, parts.size());
  }

  @Test
  void sayEncodedContent() throws Exception {
    assertEquals(
        MessagePart.BASE64,
        said("base64_encoding", HELLO).getFirst().parts().getFirst().contentEncoding());
  }

  @Test
  void sayOnePartAndThreeArtifacts() throws Exception {
    List<MessagePart> parts = said("artifact_producer", HELLO).getFirst().parts();

    assertEquals(
        List.of("text-result.txt", "data.json", "image.png"),
        parts.stream().map(MessagePart::name).filter(Objects::nonNull).toList());
    assertEquals(4, parts.size());
  }
}
