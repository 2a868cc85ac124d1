package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// What the linter says of the template, and what the SAM translator makes of it: a wrong value of
/// some event properties passes every linter and is dropped there, so the outcome is what is
/// checked. [TemplateApiTest] reads the same values in the template itself.
@Needs(Outside.SAM_TRANSLATOR)
@Reads(SamTemplate.FILE)
class TransformTest {

  @TempDir private static Path folder;

  private static PythonScript linter;
  private static PythonScript translator;

  @BeforeAll
  static void start() {
    linter = new PythonScript("lint.py", folder);
    translator = new PythonScript("transform.py", folder);
  }

  @AfterAll
  static void stop() {
    linter.close();
    translator.close();
  }

  @Gate
  @Breach(
      by = "Resources: { Queue: { Type: AWS::SQS::Queue, DeletionPolicy: Keep } }",
      named = "DeletionPolicy")
  void theLinterFindsNoFault(Repository repository) throws Exception {
    assertEquals("", linter.printed(repository.text(SamTemplate.FILE)));
  }

  @Gate
  @Breach(
      replace = "DefaultAuthorizer: !Ref Access, InvokeRole: NONE",
      by = "DefaultAuthorizer: AWS_IAM",
      named = "invokes with a role: ")
  @Breach(
      replace = "Auth: { DefaultAuthorizer: !Ref Access, InvokeRole: NONE,",
      by = "Auth: { InvokeRole: NONE,",
      named = "only a valid value when a DefaultAuthorizer")
  @Breach(
      replace = "Method: GET, Path: /ping",
      by = "Method: GET, Auth: { Authorizer: NONE }, Path: /ping",
      named = "is not signed: ")
  @Breach(
      replace = ", AddDefaultAuthorizerToCorsPreflight: false",
      by = "",
      named = "must be signed: ")
  @Breach(
      replace = "ResponseTransferMode: RESPONSE_STREAM",
      by = "ResponseTransferMode: STREAM",
      named = "/v1/runs/{id}/events/get")
  void streamsWhatTakesTimeAndSignsEveryRoute(Repository repository) throws Exception {
    var transformed =
        new ObjectMapper().readTree(translator.printed(repository.text(SamTemplate.FILE)));
    var resources = transformed.path("Resources");
    var paths = resources.at("/Api/Properties/Body/paths");
    assertStreams(paths, "/v1/runs/{id}/events", "get");
    assertStreams(paths, "/runs", "post");
    assertStreams(paths, "/runs/{id}", "post");
    assertStreams(paths, "/runs/{id}/events", "get");
    var routes = 0;
    for (var path : paths.properties()) {
      assertAnswersBrowsers(path.getValue().path("options"));
      for (var entry : path.getValue().properties()) {
        var method = entry.getValue();
        if (method.at("/x-amazon-apigateway-integration/type").asText().equals("mock")) {
          continue;
        }
        boolean open = (entry.getKey() + " " + path.getKey()).equals("post /v1/hooks/{id}");
        assertTrue(
            method.path("security").path(0).has(open ? "NONE" : "AWS_IAM"),
            "is not signed: " + method);
        var integration = method.path("x-amazon-apigateway-integration");
        assertFalse(integration.has("credentials"), "invokes with a role: " + method);
        routes++;
      }
    }
    assertTrue(routes > 1, "Only " + routes + " routes are left.");
  }

  /// What a browser asks before a page's request shows nobody, and calls no function.
  private static void assertAnswersBrowsers(JsonNode options) {
    assertEquals("mock", options.at("/x-amazon-apigateway-integration/type").asText());
    assertFalse(options.has("security"), "must be signed: " + options);
    var headers =
        options.at("/x-amazon-apigateway-integration/responses/default/responseParameters");
    assertEquals("'7200'", headers.path("method.response.header.Access-Control-Max-Age").asText());
    assertFalse(headers.has("method.response.header.Access-Control-Allow-Credentials"));
  }

  /// An authorizer of this name is defined nowhere, which means that there is none: functions
  /// check.
  @Gate
  @Breach(
      replace = "DefaultAuthorizer: !Ref Access",
      by = "DefaultAuthorizer: AWS_IAM",
      named = "is signed: ")
  void asksNobodyWhereFunctionsCheckWhoCalls(Repository repository) throws Exception {
    var bearer = repository.text(SamTemplate.FILE).replace("Default: AWS_IAM", "Default: BEARER");
    var transformed = new ObjectMapper().readTree(translator.printed(bearer));
    for (var path : transformed.at("/Resources/Api/Properties/Body/paths")) {
      for (var method : path) {
        var signed = method.path("security");
        assertTrue(signed.isMissingNode() || signed.path(0).has("NONE"), "is signed: " + method);
      }
    }
  }

  private static void assertStreams(JsonNode paths, String path, String method) {
    var route = path + "/" + method;
    var integration = paths.path(path).path(method).path("x-amazon-apigateway-integration");
    assertEquals("STREAM", integration.path("responseTransferMode").asText(), route);
    assertEquals(900_000, integration.path("timeoutInMillis").asInt(), route);
    var uri = integration.at("/uri/Fn::Sub").asText();
    assertTrue(
        uri.contains("lambda:path/2021-11-15/functions/")
            && uri.endsWith("/response-streaming-invocations"),
        route + " at " + uri);
  }
}
