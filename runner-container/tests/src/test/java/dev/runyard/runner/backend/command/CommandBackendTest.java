package dev.runyard.runner.backend.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.needs.Program;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.Requests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandBackendTest {
  private static final String JSON_LINES =
      "'output':'jsonl','text':'/say','session':'/id','error':'/error',"
          + "'usage':{'input':'/tokens/in','output':'/tokens/out'}";

  @TempDir private Path directory;

  private record Ran(List<RunEvent> events, Optional<Failure> failure) {
    Optional<String> code() {
      return failure.map(Failure::code);
    }
  }

  @Test
  void readsThePromptAndPrintsText() throws Exception {
    Ran ran = run("cat; echo; echo \"$# $HOME\"", "", Map.of());
    assertEquals(Optional.empty(), ran.failure());
    assertEquals(
        List.of(
            new RunEvent.ModelDelta("Do it"),
            new RunEvent.ModelDelta("\n0 " + directory.resolve("home")),
            new RunEvent.ModelCompleted()),
        ran.events());
  }

  @Test
  void putsPromptModelAndSessionIntoArguments() throws Exception {
    String members =
        "'args':['-p','{prompt}'],'model_args':['-m','{model}'],'resume_args':['-r','{session}']";
    JsonNode resume = JsonNodeFactory.instance.objectNode().put("selector", "id").put("id", "s 1");
    Ran ran =
        run(
            "printf '%s|' \"$@\"; cat",
            members,
            Map.of(
                Capabilities.MODEL,
                JsonNodeFactory.instance.textNode("big"),
                Capabilities.SESSION_RESUME,
                resume));
    assertEquals(new RunEvent.ModelDelta("-p|Do it|-m|big|-r|s 1|"), ran.events().getFirst());
  }

  @Test
  void readsJsonLinesWhereTheDescriptionPoints() throws Exception {
    Ran ran =
        run(
            "echo '{\"id\":\"s-1\",\"other\":1}'; echo '{\"say\":\"Hel\"}'; echo '{\"say\":\"lo\","
                + "\"tokens\":{\"in\":7,\"out\":2},\"error\":null}'; echo noise",
            JSON_LINES,
            Map.of());
    assertEquals(Optional.empty(), ran.failure());
    assertTrue(
        ran.events()
            .containsAll(
                List.of(
                    new RunEvent.SessionUpdated("s-1"),
                    new RunEvent.ModelDelta("Hel"),
                    new RunEvent.ModelDelta("lo"),
                    new RunEvent.CostRecorded(new Usage(7, 0, 2, 0, null), null))));
    assertFalse(ran.events().toString().contains("noise"));
  }

  @Test
  void failsByAnErrorInALineByTheExitCodeAndWithoutAWord() throws Exception {
    assertEquals(
        Optional.of("key_refused"),
        run("echo '{\"error\":{\"message\":\"HTTP 401\"}}'", JSON_LINES, Map.of()).code());
    assertEquals(
        Optional.of("network"), run("echo 'fetch failed' >&2; exit 3", "", Map.of()).code());
    assertEquals(Optional.of("no_output"), run("exit 0", JSON_LINES, Map.of()).code());
  }

  @Test
  void offersOnlyWhatItsDescriptionHasAPlaceFor() {
    AgentManifest plain = settings("true", "").described().getFirst().manifest();
    assertFalse(plain.capabilities().contains(Capabilities.MODEL));
    AgentManifest full =
        settings("true", JSON_LINES + ",'resume_args':['{session}']")
            .described()
            .getFirst()
            .manifest();
    assertTrue(full.capabilities().contains(Capabilities.SESSION_HANDLE));
    assertTrue(full.capabilities().contains(Capabilities.SESSION_RESUME));
    assertTrue(AgentCatalog.builtIn().granted(settings("true", "")).find("mine").isPresent());
  }

  @Test
  void refusesADescriptionThatIsWrong() {
    for (String wrong :
        List.of(
            "'output':'xml'",
            "'text':'say','output':'jsonl'",
            "'model_args':['-m']",
            "'sessions':['../x']",
            "'shell':true")) {
      assertThrows(IllegalArgumentException.class, () -> settings("true", wrong), wrong);
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            AgentSettings.parse(
                "{\"agents\":{\"codex\":{\"program\":\"x\",\"command\":{}}}}",
                AgentCatalog.builtIn()));
  }

  private Ran run(String script, String members, Map<String, JsonNode> extensions)
      throws Exception {
    AgentSettings settings = settings(script(script), members);
    Path home = Files.createDirectories(directory.resolve("home"));
    AgentRun run =
        new CommandBackend((CommandTemplate) settings.described().getFirst())
            .start(
                Requests.request("mine", "Do it", extensions, directory),
                Requests.context(home, settings.of(new AgentKind("mine"))));
    List<RunEvent> events = new ArrayList<>();
    while (true) {
      for (AgentSignal signal : run.take(100)) {
        switch (signal) {
          case AgentSignal.Output output -> events.add(output.event());
          case AgentSignal.Ended ended -> {
            return new Ran(events, ended.failure());
          }
          case AgentSignal.Asked _, AgentSignal.Took _ -> throw new AssertionError(signal);
        }
      }
      run.awaitSignal(Duration.ofMillis(100));
    }
  }

  private String script(String body) throws IOException {
    return Program.write(directory.resolve("mine"), "#!/bin/sh\n" + body + "\n").toString();
  }

  private static AgentSettings settings(String program, String members) {
    String document =
        "{'agents':{'mine':{'program':'" + program + "','command':{" + members + "}}}}";
    return AgentSettings.parse(document.replace('\'', '"'), AgentCatalog.builtIn());
  }
}
