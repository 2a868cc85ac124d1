package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.SourceFiles;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AgentCliTest {
  private static final Path MANIFESTS =
      SourceFiles.at("shared/core/src/main/resources/dev/runyard/core/agent/cli");

  @Test
  void theIndexNamesEveryManifest() throws IOException {
    Set<String> named =
        AgentCli.all().stream().map(cli -> cli.name() + ".json").collect(Collectors.toSet());
    try (Stream<Path> files = Files.list(MANIFESTS)) {
      assertEquals(
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("index.json"))
              .collect(Collectors.toSet()),
          named);
    }
  }

  @Test
  void everyAgentHasWordsForPeopleAndABackend() {
    assertFalse(AgentCli.allAgents().isEmpty());
    for (AgentCli.Agent agent : AgentCli.allAgents()) {
      assertFalse(agent.manifest().title().isBlank(), agent.backend());
      assertTrue(agent.manifest().description().endsWith("."), agent.backend());
      assertEquals(Optional.of(agent), AgentCli.find(agent.kind()));
    }
    assertEquals(Optional.empty(), AgentCli.find(AgentCatalog.ECHO));
  }

  @Test
  void anAgentIsCalledAsItsCliUnlessItsManifestSaysOtherwise() throws Exception {
    AgentCli cli =
        read(
            "{'title':'Mine','agents':{'mine':{'description':'D.','backend':'x.Y'},"
                + "'mine_acp':{'title':'Other','description':'D.','backend':'x.Z'}}}");

    assertEquals(
        List.of("Mine", "Other"),
        cli.agents().stream().map(agent -> agent.manifest().title()).toList());
    assertEquals(Capabilities.ofACli(), cli.agents().getFirst().manifest().capabilities());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'agents':{}}",
        "{'title':'M','agents':{},'titel':'M'}",
        "{'title':'M','agents':{'m':{'description':'D.'}}}",
        "{'title':'M','agents':{'m':{'description':'D.','backend':'x.Y','extension':[]}}}",
        "{'title':'M','agents':{'m':{'description':'D.','backend':'x.Y','extensions':['x']}}}",
        "{'title':'M','agents':{'m':{'description':'D.','backend':'x.Y',"
            + "'extensions':['backend.other.exec.approval']}}}",
        "{'title':'M','agents':{'m':{'description':'D.','backend':'x.Y',"
            + "'capabilities':['backend.other.x']}}}",
        "{'title':'M','agents':{'M-1':{'description':'D.','backend':'x.Y'}}}"
      })
  void refusesAManifestWithAMistake(String json) {
    assertThrows(IllegalArgumentException.class, () -> read(json));
  }

  private static AgentCli read(String json) throws JsonProcessingException {
    return AgentCliReader.read("mine", JsonFormat.JSON.readTree(json.replace('\'', '"')));
  }
}
