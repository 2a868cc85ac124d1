package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.usage.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgentSettingsTest {
  private static final String KEY = "sk-operator-0001";
  private static final AgentCatalog CATALOG = AgentCatalog.builtIn();

  @Test
  void namesTheFilesThatHoldSecrets() {
    assertEquals(
        List.of("/k/hook", "/k/model"),
        AgentSettings.secretFiles(
            """
            {"hook_secrets": {"ci": "file:/k/hook"},
             "agents": {"pi": {"api_key": "file:/k/model", "args": ["env:KEY", 7], "what": null}}}
            """));
  }

  @Test
  void readsEveryMember() {
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {"codex": {"program": "/opt/codex", "args": ["-c", "a=b"],
              "env": {"A": "1"}, "endpoint": "http://127.0.0.1:9/v1", "model": "m",
              "api_key_env": "KEY"}}}
            """,
            CATALOG);

    assertEquals(
        new AgentSettings.Agent(
            "/opt/codex",
            List.of("-c", "a=b"),
            Map.of("A", "1"),
            "http://127.0.0.1:9/v1",
            "m",
            "KEY"),
        settings.of(AgentCatalog.CODEX));
    assertEquals(AgentSettings.Agent.DEFAULT, settings.of(AgentCatalog.ECHO));
  }

  @Test
  void keepsWhatAnAgentMayBeAllowedAndTheAgentsItDescribes() {
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {
              "zed": {"program": "zed", "acp": {}},
              "own": {"program": "own", "acp": {}},
              "codex": {"allow": ["agent_api.exec.external_sandbox.v1"]}}}
            """,
            CATALOG);

    assertEquals(
        List.of("own", "zed"),
        settings.described().stream().map(agent -> agent.kind().name()).toList());
    assertEquals(Set.of(Capabilities.EXTERNAL_SANDBOX), settings.of(AgentCatalog.CODEX).allow());
  }

  @Test
  void anEmptyDocumentLeavesDefaults() {
    for (String document : List.of("{}", "{\"agents\":{}}", "{\"agents\":{\"codex\":{}}}")) {
      assertEquals(
          AgentSettings.Agent.DEFAULT,
          AgentSettings.parse(document, CATALOG).of(AgentCatalog.CODEX));
    }
  }

  @Test
  void pricesATokenByItsModelAndItsUseOfTheCache() {
    Prices prices =
        AgentSettings.parse(
                """
                {"agents": {"pi": {"prices": {
                  "m": {"input": 4, "cached_input": 1, "cache_write": 8, "output": 20},
                  "*": {"input": 2, "output": 10}}}}}
                """,
                CATALOG)
            .of(new AgentKind("pi"))
            .prices();
    Usage usage = new Usage(1_000_000, 500_000, 250_000, 100_000, 0, 0.01, 1);

    assertEquals(usage.at(1 + 0.5 + 2 + 2.0), prices.priced(usage, "m"));
    assertEquals(usage.at(2 + 1.0), prices.priced(usage, "other"));
    assertEquals(usage.at(2 + 1.0), prices.priced(usage, null));
    assertEquals(usage, Prices.NONE.priced(usage, "m"));
  }

  @Test
  void anAgentWhoseModelsAreKnownGoesThroughTheModelGateway() {
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {
              "codex": {"api_key_env": "KEY", "models": ["gpt-5.5"]},
              "pi": {"api_key_env": "KEY", "expose_key": true},
              "qwen": {"endpoint": "http://127.0.0.1:9/v1"},
              "own": {"program": "own", "acp": {}, "endpoint": "https://m.example.com", "api": "gemini"},
              "zed": {"program": "zed", "acp": {}, "endpoint": "https://m.example.com"}}}
            """,
            CATALOG);

    assertEquals(
        Optional.of(new ModelRoute(ModelApi.RESPONSES, "https://api.openai.com/v1")),
        route(settings, "codex"));
    assertEquals(Optional.empty(), route(settings, "pi"));
    assertEquals(
        Optional.of(new ModelRoute(ModelApi.CHAT_COMPLETIONS, "http://127.0.0.1:9/v1")),
        route(settings, "qwen"));
    assertEquals(
        Optional.of(new ModelRoute(ModelApi.GEMINI, "https://m.example.com")),
        route(settings, "own"));
    assertEquals(Optional.empty(), route(settings, "zed"));
    assertEquals(Optional.empty(), route(settings, "claude_code"));
    assertEquals(Set.of("gpt-5.5"), settings.of(AgentCatalog.CODEX).models().allowed());
    AgentCatalog granted = CATALOG.granted(settings);
    for (String kind : List.of("codex", "qwen", "own")) {
      assertTrue(offers(granted, kind, Capabilities.MODEL_GATEWAY), kind);
      assertTrue(offers(granted, kind, Capabilities.TURN_LIMIT), kind);
    }
    assertFalse(offers(granted, "pi", Capabilities.MODEL_GATEWAY));
    assertFalse(offers(granted, "zed", Capabilities.TURN_LIMIT));
  }

  @Test
  void keepsItsKeyFromAnAgentBehindTheModelGateway() {
    AgentSettings.Agent agent =
        new AgentSettings.Agent(
            null,
            List.of(),
            Map.of("KEY", KEY, "HEADERS", "Authorization: Bearer " + KEY, "A", "1"),
            "https://m.example.com",
            "m",
            "KEY");

    AgentSettings.Agent behind = agent.behind("http://127.0.0.1:9/token", Optional.of(KEY));

    assertEquals(Map.of("A", "1"), behind.env());
    assertEquals("http://127.0.0.1:9/token", behind.endpoint());
    assertEquals("KEY", behind.apiKeyEnv());
  }

  private static Optional<ModelRoute> route(AgentSettings settings, String kind) {
    return ModelRoute.of(new AgentKind(kind), settings.of(new AgentKind(kind)));
  }

  private static boolean offers(AgentCatalog catalog, String kind, String capability) {
    return catalog.find(kind).orElseThrow().capabilities().contains(capability);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|the root must be an object",
        "{\"agent\":{}}|/agent is not a known member",
        "{\"agents\":[]}|/agents must be an object",
        "{\"agents\":{\"gpt\":{}}}|/agents/gpt is not a known agent",
        "{\"agents\":{\"codex\":1}}|/agents/codex must be an object",
        "{\"agents\":{\"codex\":{\"key\":\"s3cret\"}}}|/agents/codex/key is not a known member",
        "{\"agents\":{\"codex\":{\"program\":\"\"}}}|/agents/codex/program must be a string",
        "{\"agents\":{\"codex\":{\"args\":\"s3cret\"}}}|/agents/codex/args must be a list",
        "{\"agents\":{\"codex\":{\"args\":[1]}}}|/agents/codex/args/0 must be a string",
        "{\"agents\":{\"codex\":{\"env\":{\"A\":1}}}}|/agents/codex/env/A must be a string",
        "{\"agents\":{\"codex\":{\"env\":[\"s3cret\"]}}}|/agents/codex/env must be an object",
        "{\"agents\":{\"pi\":{\"prices\":1}}}|/agents/pi/prices must be an object",
        "{\"agents\":{\"pi\":{\"prices\":{\"m\":{\"output\":1}}}}}|/prices/m/input must be a"
            + " number",
        "{\"agents\":{\"pi\":{\"prices\":{\"m\":{\"input\":-1}}}}}|/prices/m/input must be a"
            + " number",
        "{\"agents\":{\"pi\":{\"prices\":{\"m\":{\"in\":1}}}}}|/prices/m/in is not a known member",
        "{\"agents\":{\"codex\":{\"allow\":[\"agent_api.run\"]}}}|/agents/codex/allow/0 is"
            + " nothing that can be allowed",
        "{\"agents\":{\"codex\":{\"request_env\":[\"*\"]}}}|/agents/codex/request_env/0 must be",
        "{\"agents\":{\"codex\":{\"request_env\":[\"S3CRET*\"]}}}|/request_env/0 must be the name",
        "{\"agents\":{\"codex\":{\"request_env\":[\"A=s3cret\"]}}}|/request_env/0 must be the name",
        "{\"agents\":{\"codex\":{\"secrets\":{\"A\":\"s3cret\"}}}}|/codex/secrets must give",
        "{\"agents\":{\"codex\":{\"secrets\":{\"A\":\"file:s3cret\"}}}}|/codex/secrets must give",
        "{\"agents\":{\"codex\":{\"secrets\":{\"A\":\"ssm:s3cret\"}}}}|/codex/secrets must give",
        "{\"hook_secrets\":{\"A\":\"s3cret\"}}|/hook_secrets must give",
        "{\"hook_secrets\":{\"a b\":\"env:A\"}}|/hook_secrets must give",
        "{\"hook_secrets\":[\"s3cret\"]}|/hook_secrets must be an object",
        "{\"agents\":{\"codex\":{\"api_key\":\"sk-s3cret\"}}}|/codex/api_key must be env:NAME",
        "{\"agents\":{\"codex\":{\"trust_workspace\":\"s3cret\"}}}|/trust_workspace must be true",
        "{\"agents\":{\"codex\":{\"request_env\":\"s3cret\"}}}|/request_env must be a list",
        "{\"agents\":{\"pi\":{\"api_key_env\":\"KEY\"}}}|/agents/pi/expose_key must be true",
        "{\"agents\":{\"copilot\":{\"api_key_env\":\"KEY\",\"expose_key\":false}}}|/expose_key must"
            + " be true",
        "{\"agents\":{\"own\":{\"program\":\"a\",\"command\":{},\"api_key_env\":\"KEY\"}}}"
            + "|/agents/own/expose_key must be true",
        "{\"agents\":{\"pi\":{\"expose_key\":\"s3cret\"}}}|/pi/expose_key must be true or false",
        "{\"agents\":{\"Own\":{\"program\":\"a\",\"command\":{}}}}|/agents/Own is not a"
            + " valid agent name",
        "{\"agents\":{\"own\":{\"command\":{}}}}|/agents/own/program must be set",
        "{\"agents\":{\"own\":{\"program\":\"a\",\"command\":{},\"acp\":{}}}}|/agents/own has"
            + " both command and acp",
        "{\"agents\":{\"codex\":{\"endpoint\":\"s3cret\"}}}|/agents/codex/endpoint must be an"
            + " address",
        "{\"agents\":{\"codex\":{\"endpoint\":\"https://u:s3cret@m.example.com\"}}}|/endpoint"
            + " must be an address",
        "{\"agents\":{\"codex\":{\"models\":[\"m\"]}}}|/agents/codex/models needs an endpoint",
        "{\"agents\":{\"codex\":{\"api\":\"gemini\"}}}|/agents/codex/api is known",
        "{\"agents\":{\"own\":{\"program\":\"a\",\"acp\":{},\"api\":\"gemini\"}}}|/agents/own/api"
            + " needs endpoint",
        "{\"agents\":{\"own\":{\"program\":\"a\",\"acp\":{},\"api\":\"s3cret\","
            + "\"endpoint\":\"http://a\"}}}|/agents/own/api must be one of responses,",
        "{\"agents\":{},\"agents\":{}}|not JSON",
        "{\"agents\":{}} s3cret|not JSON",
        "{s3cret|not JSON"
      })
  void namesWhatIsWrongAndRepeatsNoValue(String document, String message) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> AgentSettings.parse(document, CATALOG));

    assertEquals(true, String.valueOf(wrong.getMessage()).contains(message), wrong.getMessage());
    assertFalse(String.valueOf(wrong.getMessage()).contains("s3cret"));
  }
}
