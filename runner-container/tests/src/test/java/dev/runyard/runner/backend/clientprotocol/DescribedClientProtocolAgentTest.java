package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Talking;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DescribedClientProtocolAgentTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void runsAnAgentThatOnlyTheAgentsFileKnows() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory, "open; hear; say Hel; say lo; answer '{\"stopReason\":\"end_turn\"}'");
    AgentSettings settings =
        settings(fake.program().toString(), "'model_args':['--with','m={model}']");
    ClientProtocolBackend backend =
        new ClientProtocolBackend((ClientProtocolTemplate) settings.described().getFirst());

    Talking.Heard heard =
        new Talking(
                backend.start(
                    Requests.request(
                        "mine",
                        "Do it",
                        Map.of(Capabilities.MODEL, JsonNodeFactory.instance.textNode("big")),
                        directory),
                    Requests.context(directory, settings.of(new AgentKind("mine")))))
            .end();

    assertEquals("Hello", heard.text());
    assertEquals(Optional.empty(), heard.end().failure());
    assertEquals(List.of("--serve", "--with", "m=big"), fake.argv());
  }

  @Test
  void offersWhatTheDescriptionHasAPlaceFor() {
    AgentManifest plain = settings("/bin/agent", "").described().getFirst().manifest();
    AgentManifest full =
        settings(
                "/bin/agent",
                "'title':'Mine','messages':true,'sessions':['.mine'],'model_args':['{model}']")
            .described()
            .getFirst()
            .manifest();

    for (String capability :
        List.of(Capabilities.MESSAGE, Capabilities.SESSION_RESUME, Capabilities.MODEL)) {
      assertFalse(plain.capabilities().contains(capability));
      assertTrue(full.capabilities().contains(capability));
    }
    assertEquals("Mine", full.title());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'messages':1 | /agents/mine/acp/messages",
        "'sessions':['/etc'] | /agents/mine/acp/sessions",
        "'model_args':['--model'] | /agents/mine/acp/model_args",
        "'program':'sh' | /agents/mine/acp/program"
      },
      quoteCharacter = '`')
  void refusesADescriptionThatIsWrong(String members, String at) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> settings("/bin/agent", members));

    assertTrue(String.valueOf(wrong.getMessage()).contains(at));
  }

  private static AgentSettings settings(String program, String members) {
    String document =
        "{'agents':{'mine':{'program':'%s','args':['--serve'],'acp':{%s}}}}"
            .formatted(program, members);
    return AgentSettings.parse(document.replace('\'', '"'), AgentCatalog.builtIn());
  }
}
