package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.SourceFiles;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The hooks that docs/hooks.md shows are hooks.
final class HooksPageTest {
  private static final Path PAGE = SourceFiles.at("docs/hooks.md");
  private static final Pattern BLOCK = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
  private static final Map<String, String> FORM =
      Map.of("Content-Type", "application/x-www-form-urlencoded");

  @Test
  void readsEachHookOfThePage() throws IOException {
    assertEquals(
        List.of(HookSender.GITHUB, HookSender.SLACK),
        hooks().stream().map(hook -> Definitions.read(hook).sender()).toList());
  }

  @Test
  void listsTheSecretOfTheFirst() throws IOException {
    assertEquals(
        Set.of("GITHUB_HOOK"), AgentSettings.hookSecrets(blocks().get(1)).sources().keySet());
  }

  @Test
  void makesARunOfACommandOfTheChannelAlone() throws IOException {
    HookDefinition hook = Definitions.read(hooks().getLast());
    HookPayload payload =
        Definitions.payload(
            FORM,
            "command=%2Ffix&channel_id=C012AB3CD&user_name=ann&text=the+login+%7B%7B%2Fa%7D%7D");

    assertEquals(2, hook.when().stream().filter(filter -> filter.passes(payload)).count());
    ObjectNode run =
        assertInstanceOf(HookTemplate.Filling.Filled.class, hook.template().fill(payload)).body();
    assertEquals("the login {{/a}}", run.path("prompt").textValue());
    assertEquals("ann", run.at("/tags/asked_by").textValue());
    HookPayload other = Definitions.payload(FORM, "command=%2Ffix&channel_id=C9&text=x");
    assertEquals(1, hook.when().stream().filter(filter -> filter.passes(other)).count());
  }

  private static List<ObjectNode> hooks() throws IOException {
    List<ObjectNode> hooks = new ArrayList<>();
    for (String block : blocks()) {
      if (JsonFormat.JSON.readTree(block) instanceof ObjectNode hook && hook.has("sender")) {
        hooks.add(hook);
      }
    }
    return hooks;
  }

  private static List<String> blocks() throws IOException {
    return BLOCK
        .matcher(Files.readString(PAGE))
        .results()
        .map((MatchResult block) -> block.group(1))
        .toList();
  }
}
