package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an operator describes without code, and what the described agent then offers.
final class DescribedAgentTest {
  private static final AgentKind OWN = new AgentKind("own");

  @Test
  void aProgramOffersWhatItsDescriptionMentions() {
    CommandTemplate template =
        (CommandTemplate)
            described(
                """
                "command": {"title": "Own", "description": "Mine.", "args": ["-p", "{prompt}"],
                  "model_args": ["-m", "{model}"], "resume_args": ["-r={session}"],
                  "sessions": [".own/sessions"], "output": "jsonl", "text": "/text",
                  "session": "/id", "error": "/error",
                  "usage": {"input": "/in", "cached": "/cached", "output": "/out"}}
                """);

    assertEquals(
        new CommandTemplate(
            OWN,
            "Own",
            "Mine.",
            List.of("-p", "{prompt}"),
            List.of("-m", "{model}"),
            List.of("-r={session}"),
            List.of(".own/sessions"),
            new CommandTemplate.Output.JsonLines(
                "/text", "/id", "/error", new CommandTemplate.Counts("/in", "/cached", "/out"))),
        template);
    Set<String> offered = template.manifest().capabilities();
    assertTrue(offered.contains(Capabilities.MODEL));
    assertTrue(offered.contains(Capabilities.SESSION_RESUME));
    assertTrue(offered.contains(Capabilities.SESSION_HANDLE));
  }

  @Test
  void aProgramThatSaysNothingOfItselfOffersARunAndItsText() {
    AgentManifest manifest = described("\"command\": {}").manifest();

    assertEquals("own", manifest.title());
    assertEquals(
        Set.of(
            Capabilities.RUN,
            Capabilities.EVENTS,
            Capabilities.EVENTS_LIVE,
            Capabilities.CANCEL,
            Capabilities.FINAL_TEXT,
            Capabilities.WORKSPACE),
        manifest.capabilities());
    assertFalse(
        described("\"command\": {\"output\": \"jsonl\"}")
            .manifest()
            .capabilities()
            .contains(Capabilities.SESSION_HANDLE));
  }

  @Test
  void anAgentOfTheClientProtocolOffersWhatItsDescriptionMentions() {
    AgentManifest plain = described("\"acp\": {}").manifest();
    for (String id :
        List.of(Capabilities.MESSAGE, Capabilities.MODEL, Capabilities.SESSION_RESUME)) {
      assertFalse(plain.capabilities().contains(id), id);
    }
    assertTrue(plain.capabilities().contains(Capabilities.NON_INTERACTIVE));
    assertTrue(plain.capabilities().contains("backend.own.exec.approval"));

    AgentManifest full =
        described(
                """
                "acp": {"title": "Own", "model_args": ["{model}"], "messages": true,
                  "sessions": ["a/b"]}
                """)
            .manifest();
    assertEquals("Own", full.title());
    for (String id :
        List.of(Capabilities.MESSAGE, Capabilities.MODEL, Capabilities.SESSION_RESUME)) {
      assertTrue(full.capabilities().contains(id), id);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"command\": {\"arg\": []}|/command/arg is not a known member",
        "\"command\": {\"model_args\": [\"-m\"]}|/model_args must have a place for {model}",
        "\"command\": {\"resume_args\": [\"-r\"]}|/resume_args must have a place for {session}",
        "\"command\": {\"sessions\": [\"/root\"]}|/sessions must be paths below the agent's home",
        "\"command\": {\"sessions\": [\"a/../b\"]}|/sessions must be paths below the agent's home",
        "\"command\": {\"sessions\": [\" \"]}|/sessions must be paths below the agent's home",
        "\"command\": {\"output\": \"xml\"}|/output must be text or jsonl",
        "\"command\": {\"output\": \"jsonl\", \"text\": \"x\"}|/text must be a JSON pointer",
        "\"command\": {\"usage\": {\"in\": \"/a\"}}|/usage/in is not a known member",
        "\"acp\": {\"args\": []}|/acp/args is not a known member",
        "\"acp\": {\"messages\": 1}|/messages must be true or false"
      })
  void namesWhatIsWrong(String members, String message) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> described(members));

    assertTrue(String.valueOf(wrong.getMessage()).contains(message), wrong.getMessage());
  }

  private static DescribedAgent described(String members) {
    return AgentSettings.parse(
            "{\"agents\": {\"own\": {\"program\": \"own\", %s}}}".formatted(members),
            AgentCatalog.builtIn())
        .described()
        .iterator()
        .next();
  }
}
