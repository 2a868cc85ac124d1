package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the SAM translator makes of the template: a wrong value of some event properties passes
/// every linter and is dropped there, so the outcome is what is checked. [TemplateTest] reads the
/// same values in the template itself.
@Needs(Outside.SAM_TRANSLATOR)
class TransformTest {

  @Test
  void streamsWhatTakesTimeAndSignsEveryRoute(@TempDir Path dir) throws Exception {
    var resources = transform(dir).path("Resources");
    var paths = resources.at("/Api/Properties/Body/paths");
    assertStreams(paths.at("/~1v1~1runs~1{id}~1events/get"));
    assertStreams(paths.at("/~1runs/post"));
    assertStreams(paths.at("/~1runs~1{id}/post"));
    assertStreams(paths.at("/~1runs~1{id}~1events/get"));
    var routes = 0;
    for (var path : paths) {
      for (var method : path) {
        assertTrue(method.path("security").path(0).has("AWS_IAM"), method::toString);
        var integration = method.path("x-amazon-apigateway-integration");
        assertTrue(integration.path("credentials").isMissingNode(), method::toString);
        routes++;
      }
    }
    assertTrue(routes > 1, "Only " + routes + " routes are left.");
  }

  private static void assertStreams(JsonNode method) {
    var integration = method.path("x-amazon-apigateway-integration");
    assertEquals("STREAM", integration.path("responseTransferMode").asText());
    assertEquals(900_000, integration.path("timeoutInMillis").asInt());
    var uri = integration.at("/uri/Fn::Sub").asText();
    assertTrue(
        uri.contains("lambda:path/2021-11-15/functions/")
            && uri.endsWith("/response-streaming-invocations"),
        uri);
  }

  private static JsonNode transform(Path dir) throws IOException, InterruptedException {
    var out = dir.resolve("template.json");
    var err = dir.resolve("errors.txt");
    var script = Path.of("src", "test", "resources", "transform.py").toString();
    var command = new ProcessBuilder("python3", script, SamTemplate.FILE.toString());
    command.environment().put("AWS_DEFAULT_REGION", "eu-west-1");
    var status = command.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    assertEquals(0, status, Files.readString(err));
    return new ObjectMapper().readTree(out.toFile());
  }
}
