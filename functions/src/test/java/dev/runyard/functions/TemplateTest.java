package dev.runyard.functions;

import static dev.runyard.functions.SamTemplate.list;
import static dev.runyard.functions.SamTemplate.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.runyard.aws.Settings;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TemplateTest {

  private static final int STREAM_READERS_MAX = 2;
  private static final int LONGEST_RUN_SECONDS = 11 * 3600;
  private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\{([^!}.:]+)[^}]*}");

  private SamTemplate template = new SamTemplate(Map.of());

  @BeforeEach
  void readTemplate() throws IOException {
    template = SamTemplate.read();
  }

  @Test
  void namesOnlyHandlersThatExist() throws Exception {
    var loader = getClass().getClassLoader();
    for (var function : template.functions().entrySet()) {
      var handler = (String) function.getValue().get("Handler");
      if (handler.equals("run.sh")) {
        var server = (String) template.environment(function.getValue()).get("MAIN_CLASS");
        var main = Class.forName(server, false, loader).getMethod("main", String[].class);
        assertTrue(Modifier.isStatic(main.getModifiers()), server);
      } else {
        var type = Class.forName(handler, false, loader);
        assertTrue(RequestHandler.class.isAssignableFrom(type), handler);
        assertTrue(Modifier.isPublic(type.getConstructor().getModifiers()), handler);
      }
    }
  }

  @Test
  void refersOnlyToWhatItDeclares() {
    var declared = new TreeSet<>(template.resources().keySet());
    declared.addAll(map(template.root().get("Parameters")).keySet());
    var missing = new ArrayList<String>();
    SamTemplate.eachCall(
        template.root(),
        (call, argument) -> {
          for (var name : named(call, argument)) {
            if (!name.startsWith("AWS::") && !declared.contains(name)) {
              missing.add(call + " " + name);
            }
          }
        });
    assertEquals(List.of(), missing);
  }

  @Test
  void usesEachParameterItDeclares() {
    var used = new TreeSet<String>();
    SamTemplate.eachCall(
        template.root(), (call, argument) -> used.addAll(named(call, argument)));
    var unused = new TreeSet<>(map(template.root().get("Parameters")).keySet());
    unused.removeAll(used);
    assertEquals(Set.of(), unused);
  }

  @Test
  void givesTheVariablesThatTheCodeReads() throws IllegalAccessException {
    var given = new TreeSet<>(template.runnerEnvironment().keySet());
    template.functions().values().forEach(f -> given.addAll(template.environment(f).keySet()));
    given.removeIf(name -> !name.startsWith("RUNYARD_"));
    var read = new TreeSet<String>();
    for (var field : Settings.class.getFields()) {
      if (field.getType() == String.class && field.get(null) instanceof String name) {
        read.add(name);
      }
    }
    read.removeIf(name -> !name.startsWith("RUNYARD_"));
    assertEquals(read, given);
  }

  @Test
  void letsAtMostTwoFunctionsReadTheStream() {
    var readers = new TreeSet<String>();
    template
        .functions()
        .forEach(
            (id, function) ->
                map(function.get("Events"))
                    .values()
                    .forEach(
                        event -> {
                          if ("DynamoDB".equals(map(event).get("Type"))) {
                            readers.add(id);
                          }
                        }));
    assertTrue(readers.size() <= STREAM_READERS_MAX, readers::toString);
  }

  @Test
  void stopsAPoisonRecordAfterOneMinute() {
    for (var id : List.of("ProjectFunction", "DriveFunction")) {
      var events = map(template.properties(id).get("Events"));
      var source = map(map(events.get("Changes")).get("Properties"));
      assertEquals("60", source.get("MaximumRecordAgeInSeconds"), id);
      assertEquals(List.of("ReportBatchItemFailures"), source.get("FunctionResponseTypes"), id);
      assertEquals("true", source.get("BisectBatchOnFunctionError"), id);
      var parked = map(map(source.get("DestinationConfig")).get("OnFailure"));
      assertEquals(Map.of("Fn::GetAtt", "ParkedQueue.Arn"), parked.get("Destination"), id);
    }
  }

  @Test
  void keepsAMessageLongerThanItsRun() {
    var queue = template.properties("RunQueue");
    var kept = Integer.parseInt((String) queue.get("MessageRetentionPeriod"));
    assertTrue(kept > LONGEST_RUN_SECONDS, "The run queue keeps a message for " + kept + " s.");
    var dead = template.properties("DeadQueue");
    assertTrue(Integer.parseInt((String) dead.get("MessageRetentionPeriod")) > kept);
  }

  @Test
  void publishesANewVersionWhenAParameterOfAFunctionChanges() {
    var task = new TreeSet<String>();
    SamTemplate.eachCall(
        template.properties("RunnerTask"), (call, argument) -> task.addAll(named(call, argument)));
    var parameters = map(template.root().get("Parameters")).keySet();
    for (var function : template.functions().entrySet()) {
      assertEquals(
          Map.of("Ref", "RunnerTask"),
          function.getValue().get("VersionDescription"),
          function.getKey());
      var given = new TreeSet<String>();
      SamTemplate.eachCall(
          List.of(
              template.environment(function.getValue()),
              function.getValue().getOrDefault("Layers", List.of())),
          (call, argument) -> given.addAll(named(call, argument)));
      given.retainAll(parameters);
      given.removeAll(task);
      assertEquals(Set.of(), given, function.getKey());
    }
  }

  @Test
  void declaresNothingThatCostsWhileIdle() {
    var always =
        Set.of("AWS::EC2::NatGateway", "AWS::ECS::Service", "AWS::EC2::Instance", "AWS::EC2::EIP");
    template
        .resources()
        .forEach((id, resource) -> assertTrue(!always.contains(map(resource).get("Type")), id));
  }

  private static List<String> named(String call, Object argument) {
    return switch (call) {
      case "Ref" -> List.of((String) argument);
      case "Fn::GetAtt" ->
          List.of(
              argument instanceof String path
                  ? path.substring(0, path.indexOf('.'))
                  : (String) list(argument).getFirst());
      case "Fn::Sub" ->
          SUBSTITUTED
              .matcher((String) argument)
              .results()
              .map(found -> found.group(1))
              .filter(name -> !name.equals("AWS"))
              .toList();
      case "Fn::If" -> List.of();
      default -> List.of();
    };
  }
}
