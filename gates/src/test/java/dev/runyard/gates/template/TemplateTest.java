package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TemplateTest {

  private static final int STREAM_READERS_MAX = 2;
  private static final int STREAM_KEEPS_SECONDS = 86_400;

  private SamTemplate template = new SamTemplate(JsonNodeFactory.instance.objectNode());

  @BeforeEach
  void readTemplate() throws IOException {
    template = SamTemplate.read();
  }

  @Test
  void refersOnlyToWhatItDeclares() {
    var missing = SamTemplate.references(template.root());
    missing.removeAll(names("Resources"));
    missing.removeAll(names("Parameters"));
    assertEquals(Set.of(), missing);
  }

  @Test
  void usesEachParameterItDeclares() {
    var unused = names("Parameters");
    unused.removeAll(SamTemplate.references(template.root()));
    assertEquals(Set.of(), unused);
  }

  @Test
  void letsAtMostTwoFunctionsReadTheStream() {
    var readers = template.functions().values().stream().filter(TemplateTest::readsStream).count();
    assertTrue(readers <= STREAM_READERS_MAX, "Readers: " + readers);
  }

  @Test
  void parksARecordThatCannotBeHandledWithinAMinute() {
    template
        .functions()
        .forEach(
            (id, function) -> {
              if (readsStream(function)) {
                var source = function.at("/Events/Changes/Properties");
                assertEquals(STREAM_KEEPS_SECONDS, number(source, "MaximumRecordAgeInSeconds"), id);
                assertEquals(
                    "ReportBatchItemFailures", source.at("/FunctionResponseTypes/0").asText(), id);
                assertEquals("true", source.path("BisectBatchOnFunctionError").asText(), id);
                var paused = source.at("/DestinationConfig/OnFailure/Destination");
                assertEquals(Set.of("StreamFailureQueue"), SamTemplate.references(paused), id);
              }
            });
  }

  @Test
  void keepsAMessageLongerThanItsRunCanTake() {
    var queue = template.properties("RunQueue");
    var kept = number(queue, "MessageRetentionPeriod");
    assertTrue(kept > Limits.QUEUED_SECONDS_MAX + Limits.RUN_SECONDS_MAX);
    assertTrue(number(template.properties("DeadLetterQueue"), "MessageRetentionPeriod") > kept);
    assertEquals(Limits.LEASE_SECONDS, number(queue, "VisibilityTimeout"));
  }

  @Test
  void keepsARunAtLeastAsLongAsItMayWaitForOneAnswer() {
    var days = template.root().at("/Parameters/RetentionDays/MinValue").asLong();
    var longest = Limits.QUEUED_SECONDS_MAX + Limits.RUN_SECONDS_MAX + Limits.AWAIT_SECONDS_MAX;
    assertTrue(Duration.ofDays(days).toSeconds() >= longest);
  }

  @Test
  void neverRunsTheClockBesideItself() {
    var sweep = template.properties("SweepFunction");
    assertEquals("0", sweep.at("/EventInvokeConfig/MaximumRetryAttempts").asText());
    assertTrue(number(sweep, "Timeout") < 60);
  }

  /// Whoever drives a run reads its snapshot and the turns of its session, and writes both.
  @Test
  void letsWhoeverAdvancesReadAndWriteTheViews() {
    var views = new TreeSet<String>();
    for (var statement : template.properties("StartRunsPolicy").at("/PolicyDocument/Statement")) {
      if (SamTemplate.references(statement.path("Resource")).contains("ViewsTable")) {
        statement.path("Action").forEach(action -> views.add(action.asText()));
      }
    }
    assertEquals(Set.of("dynamodb:GetItem", "dynamodb:PutItem"), views);
  }

  @Test
  void letsARunnerEndItsAgentsBeforeItIsKilled() {
    assertTrue(number(template.runnerContainer(), "StopTimeout") > Limits.STOP_SECONDS);
  }

  @Test
  void publishesANewVersionWhenAParameterOfAFunctionChanges() {
    var carried = SamTemplate.references(template.properties("RunnerTask"));
    for (var function : template.functions().entrySet()) {
      var id = function.getKey();
      var properties = function.getValue();
      assertEquals("RunnerTask", properties.at("/VersionDescription/Ref").asText(), id);
      var versioned = ((ObjectNode) properties.deepCopy());
      versioned.remove(
          "ReservedConcurrentExecutions"); // The function's own; no version carries it.
      var given = SamTemplate.references(versioned);
      given.addAll(SamTemplate.references(template.root().at("/Globals/Function")));
      given.retainAll(names("Parameters"));
      given.removeAll(carried);
      assertEquals(Set.of(), given, id);
    }
  }

  @Test
  void refusesAtTheGatewayInTheFormOfTheApi() throws IOException {
    var responses = template.properties("Api").path("GatewayResponses");
    assertFalse(responses.isEmpty());
    for (var response : responses) {
      var body = response.at("/ResponseTemplates/application~1json").asText();
      var problem =
          new ObjectMapper().readTree(body.replace("$context.error.messageString", "\"\""));
      var expected = ProblemJson.of(Problem.of(ProblemCode.NOT_FOUND, ""));
      var code = problem.path("code").asText();
      problem.fieldNames().forEachRemaining(name -> assertTrue(expected.has(name), name));
      expected.remove("status");
      expected.fieldNames().forEachRemaining(name -> assertTrue(problem.has(name), name));
      assertEquals("urn:runyard:problem:" + code.replace('_', '-'), problem.path("type").asText());
    }
  }

  @Test
  void signsEveryRoute() {
    var auth = template.properties("Api").path("Auth");
    assertEquals("AWS_IAM", auth.path("DefaultAuthorizer").asText());
    assertEquals("NONE", auth.path("InvokeRole").asText());
    for (var route : routes().entrySet()) {
      assertFalse(route.getValue().has("Auth"), route.getKey());
      assertEquals(Set.of("Api"), SamTemplate.references(route.getValue()), route.getKey());
    }
  }

  @Test
  void streamsWhatTakesTime() {
    var streamed = new TreeSet<String>();
    for (var route : routes().entrySet()) {
      var properties = route.getValue();
      if (properties.has("ResponseTransferMode") || properties.has("TimeoutInMillis")) {
        assertEquals("RESPONSE_STREAM", properties.path("ResponseTransferMode").asText());
        assertEquals(900_000, properties.path("TimeoutInMillis").asInt());
        streamed.add(route.getKey());
      }
    }
    assertFalse(streamed.isEmpty());
    assertEquals(routes(template.properties("StreamFunction")).keySet(), streamed);
  }

  private Map<String, JsonNode> routes() {
    var routes = new TreeMap<String, JsonNode>();
    template.functions().values().forEach(function -> routes.putAll(routes(function)));
    return routes;
  }

  private static Map<String, JsonNode> routes(JsonNode function) {
    var routes = new TreeMap<String, JsonNode>();
    for (var event : function.path("Events")) {
      if (event.path("Type").asText().equals("Api")) {
        var route = event.path("Properties");
        routes.put(route.path("Method").asText() + " " + route.path("Path").asText(), route);
      }
    }
    return routes;
  }

  @Test
  void saysWhatToDoWhenNothingIsFreeToAnswer() {
    var full = template.properties("Api").at("/GatewayResponses/INTEGRATION_FAILURE");
    assertEquals("503", full.path("StatusCode").asText());
    assertFalse(full.at("/ResponseParameters/Headers/Retry-After").isMissingNode());
    assertTrue(
        full.at("/ResponseTemplates/application~1json")
            .asText()
            .contains("\"category\":\"capacity\""));
  }

  /// Lambda refuses every reservation in an account that has room for 100 calls at once or fewer.
  @Test
  void reservesNoCallsUnlessAParameterSaysSo() {
    for (var function : template.functions().entrySet()) {
      var reserved = function.getValue().path("ReservedConcurrentExecutions").path("Fn::If");
      var parameter = reserved.path(1).path("Ref").asText();
      assertEquals("AWS::NoValue", reserved.path(2).path("Ref").asText(), function.getKey());
      assertEquals("0", template.parameter(parameter).path("Default").asText(), parameter);
      var unequal = template.root().path("Conditions").path(reserved.path(0).asText());
      assertEquals(
          "{\"Fn::Not\":[{\"Fn::Equals\":[{\"Ref\":\"%s\"},\"0\"]}]}".formatted(parameter),
          unequal.toString());
    }
  }

  @Test
  void hasAnAddressForEachRunnerInEachZone() {
    var network = AddressBlock.of(template.properties("Vpc").path("CidrBlock").asText());
    var runners = Integer.parseInt(template.parameter("RunnersMax").path("MaxValue").asText());
    var subnets = new ArrayList<AddressBlock>();
    var zones = new TreeSet<String>();
    for (var name : List.of("SubnetA", "SubnetB")) {
      var subnet = AddressBlock.of(template.properties(name).path("CidrBlock").asText());
      assertTrue(network.holds(subnet), name);
      assertTrue(subnets.stream().noneMatch(subnet::overlaps), name);
      assertTrue(subnet.free() >= runners, name + " has " + subnet.free());
      subnets.add(subnet);
      zones.add(template.properties(name).path("AvailabilityZone").toString());
    }
    assertEquals(subnets.size(), zones.size(), "a zone for each subnet");
  }

  @Test
  void declaresNothingThatCostsWhileIdle() {
    var always =
        Set.of("AWS::EC2::NatGateway", "AWS::ECS::Service", "AWS::EC2::Instance", "AWS::EC2::EIP");
    for (var resource : template.root().path("Resources").properties()) {
      var type = resource.getValue().path("Type").asText();
      assertFalse(always.contains(type), resource.getKey());
    }
  }

  @Test
  void grantsNamedActionsOnNamedResources() {
    var statements = new ArrayList<JsonNode>();
    for (var granted : template.root().findValues("Statement")) {
      granted.forEach(statements::add);
    }
    assertFalse(statements.isEmpty());
    for (var statement : statements) {
      assertFalse(statement.path("Action").toString().contains("*"), statement::toString);
      var resource = statement.path("Resource").asText();
      assertTrue(!resource.equals("*") || statement.has("Condition"), statement::toString);
    }
  }

  /// A block of IPv4 addresses.
  private record AddressBlock(long first, long size) {
    /// Addresses AWS keeps of each subnet for itself.
    static final int KEPT = 5;

    static AddressBlock of(String cidr) {
      var parts = cidr.split("[./]", -1);
      var first = 0L;
      for (var i = 0; i < 4; i++) {
        first = (first << 8) + Integer.parseInt(parts[i]);
      }
      return new AddressBlock(first, 1L << (32 - Integer.parseInt(parts[4])));
    }

    boolean holds(AddressBlock other) {
      return first <= other.first && other.first + other.size <= first + size;
    }

    boolean overlaps(AddressBlock other) {
      return first < other.first + other.size && other.first < first + size;
    }

    long free() {
      return size - KEPT;
    }
  }

  private Set<String> names(String section) {
    var names = new TreeSet<String>();
    template.root().path(section).fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static boolean readsStream(JsonNode function) {
    return function.path("Events").properties().stream()
        .map(Map.Entry::getValue)
        .anyMatch(event -> event.path("Type").asText().equals("DynamoDB"));
  }

  private static int number(JsonNode properties, String name) {
    return Integer.parseInt(properties.path(name).asText());
  }
}
