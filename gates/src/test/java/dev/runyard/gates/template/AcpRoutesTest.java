package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Planted;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The template against the operations that clients of the protocol call.
@Reads(SamTemplate.FILE)
final class AcpRoutesTest {
  @Gate
  @Breach(replace = "Path: /ping", by = "Path: /pong", named = "GET /ping")
  @Breach(replace = "Path: \"/sessions/{id}\"", by = "Path: /x", named = "GET /sessions/{}")
  void everyOperationOfTheProtocolHasARoute(Repository repository) {
    Set<String> missing = new TreeSet<>();
    AcpSchemas.operations().forEach(operation -> missing.add(unnamed(operation)));
    missing.add("GET /sessions/{}"); // The name the public clients use.
    missing.add("GET /resources/{}"); // What a history names.
    SamTemplate.of(repository).routes().keySet().forEach(route -> missing.remove(unnamed(route)));
    assertEquals(Set.of(), missing);
  }

  @Planted
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
