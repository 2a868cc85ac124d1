package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.io.IOException;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The template against the operations that clients of the protocol call.
final class AcpRoutesTest {
  @Test
  void everyOperationOfTheProtocolHasARoute() throws IOException {
    var routes = new TreeSet<String>();
    for (JsonNode function : SamTemplate.read().functions().values()) {
      for (JsonNode event : function.path("Events")) {
        var route = event.path("Properties");
        routes.add(route.path("Method").asText() + " " + unnamed(route.path("Path").asText()));
      }
    }
    for (String operation : AcpSchemas.operations()) {
      assertTrue(routes.contains(unnamed(operation)), operation);
    }
    assertTrue(routes.contains("GET /sessions/{}"), "the name the public clients use");
    assertTrue(routes.contains("GET /resources/{}"), "what a history names");
  }

  @Test
  void anAnswerThatIsNotTheProtocolsIsFound() {
    var error = JsonNodeFactory.instance.objectNode().put("code", "teapot").put("message", "");
    var session = JsonNodeFactory.instance.objectNode().put("id", "no-uuid");
    session.putArray("history");

    assertFalse(AcpSchemas.errors("Error", error).isEmpty());
    assertFalse(AcpSchemas.errors("Session", session).isEmpty());
  }

  private static String unnamed(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }
}
