package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.networknt.schema.Schema;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.Schemas;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AgentsApiTest {
  private static final Schema AGENT = Schemas.published("agent");
  private static final AgentsApi BUILT_IN = new AgentsApi(AgentCatalog.builtIn());
  private static final AgentsApi ALLOWED =
      new AgentsApi(
          AgentCatalog.builtIn()
              .granted(
                  AgentSettings.parse(
                      """
                      {"agents": {"codex": {"allow":
                        ["agent_api.exec.external_sandbox.v1", "agent_api.exec.add_dirs.v1"]}}}
                      """,
                      AgentCatalog.builtIn())));

  @Test
  void showsAgentsAsTheirSchemaSays() throws Exception {
    JsonNode all = JsonFormat.JSON.readTree(BUILT_IN.list().body());

    assertFalse(all.path("agents").isEmpty());
    all.path("agents").forEach(agent -> Schemas.check(AGENT, agent));
    Schemas.check(AGENT, agent(ALLOWED));
    assertFalse(
        Schemas.errors(AGENT, JsonNodeFactory.instance.objectNode().put("kind", "x")).isEmpty());
  }

  @Test
  void showsEachExtensionWithItsMeaningAndItsDefault() throws Exception {
    JsonNode extensions = agent(ALLOWED).at("/extensions/properties");

    for (Map.Entry<String, JsonNode> extension : extensions.properties()) {
      assertFalse(extension.getValue().path("description").asText("").isEmpty());
      JsonNode byDefault = extension.getValue().path("default");
      if (!byDefault.isMissingNode()) {
        Schemas.check(Schemas.of(extension.getValue()), byDefault);
      }
    }
    assertEquals(
        JsonNodeFactory.instance.booleanNode(true),
        extensions.path(Capabilities.NON_INTERACTIVE).path("default"));
    assertEquals(
        JsonNodeFactory.instance.booleanNode(false),
        extensions.path(Capabilities.EXTERNAL_SANDBOX).path("default"));
  }

  @Test
  void offersWhatIsDangerousOnlyWhereTheOperatorAllowsIt() throws Exception {
    for (String key : List.of(Capabilities.EXTERNAL_SANDBOX, Capabilities.ADD_DIRS)) {
      assertFalse(capabilities(BUILT_IN).contains(key));
      assertEquals(true, capabilities(ALLOWED).contains(key));
    }
  }

  @Test
  void describesValuesBySchemasThatAgreeWithTheCheck() throws Exception {
    Schema dirs =
        Schemas.of(agent(ALLOWED).at("/extensions/properties").path("agent_api.exec.add_dirs.v1"));

    Schemas.check(dirs, json("{'dirs':['/tmp']}"));
    for (String wrong :
        List.of(
            "[]", "{}", "{'dirs':[]}", "{'dirs':[1]}", "{'dirs':[' ']}", "{'dirs':['a'],'x':1}")) {
      assertFalse(Schemas.errors(dirs, json(wrong)).isEmpty(), wrong);
    }
  }

  private static String capabilities(AgentsApi api) throws Exception {
    return agent(api).path("capabilities").toString();
  }

  private static JsonNode agent(AgentsApi api) throws Exception {
    return JsonFormat.JSON.readTree(api.get("codex").body());
  }

  private static JsonNode json(String single) throws Exception {
    return JsonFormat.JSON.readTree(single.replace('\'', '"'));
  }
}
