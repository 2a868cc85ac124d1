package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.runyard.aws.Settings;
import dev.runyard.bench.scale.ScaleModel;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The template against the code it starts.
@Reads(SamTemplate.FILE)
class TemplateCodeTest {

  @Gate
  @Breach(replace = "functions.api.Handler", by = "functions.api.Gone", named = "api.Gone")
  @Breach(replace = "functions.api.Handler", by = "functions.api.AgentsApi", named = "AgentsApi")
  @Breach(replace = "functions.stream.Server", by = "functions.stream.Gone", named = "stream.Gone")
  void namesOnlyHandlersThatExist(Repository repository) {
    for (var function : SamTemplate.of(repository).functions().values()) {
      var handler = function.path("Handler").asText();
      if (handler.equals("run.sh")) {
        var server = function.at("/Environment/Variables/MAIN_CLASS").asText();
        var main = assertDoesNotThrow(() -> type(server).getMethod("main", String[].class), server);
        assertTrue(Modifier.isStatic(main.getModifiers()), server);
      } else {
        var type = assertDoesNotThrow(() -> type(handler), handler);
        assertTrue(RequestHandler.class.isAssignableFrom(type), handler);
        assertDoesNotThrow(() -> type.getConstructor(), handler);
      }
    }
  }

  @Gate
  @Breach(
      replace = "EveryMinute: { Type: Schedule",
      by = "EveryMinute: { Type: DynamoDB",
      named = "functions.sweep.Handler")
  void callsEachHandlerWithWhatItTakes(Repository repository) {
    for (var function : SamTemplate.of(repository).functions().values()) {
      var handler = function.path("Handler").asText();
      if (!handler.equals("run.sh")) {
        var takes = EventsTest.eventType(function);
        assertDoesNotThrow(
            () -> type(handler).getMethod("handleRequest", takes, Context.class), handler);
      }
    }
  }

  /// What docs/scale.md says of shards follows from it.
  @Gate
  @Breach(
      replace = "ParallelizationFactor: 10",
      by = "ParallelizationFactor: 1",
      named = "ProjectFunction")
  @Breach(replace = "            ParallelizationFactor: 10", by = "", named = "ProjectFunction")
  void aShardHasAsManyCallsSideBySideAsTheModelOfScaleSays(Repository repository) {
    var shards = 0;
    for (var function : SamTemplate.of(repository).functions().entrySet()) {
      for (var event : function.getValue().path("Events")) {
        if (event.path("Type").asText().equals("DynamoDB")) {
          shards++;
          var parallel = event.at("/Properties/ParallelizationFactor").asDouble();
          assertEquals(ScaleModel.SHARD_PARALLEL, parallel, 0, function.getKey());
        }
      }
    }
    assertEquals(2, shards);
  }

  /// A call of `sweep` that could not do its work ends with an error, which nobody repeats and an
  /// alarm counts.
  @Gate
  @Breach(
      replace = "EventInvokeConfig: { MaximumRetryAttempts: 0,",
      by = "EventInvokeConfig: { MaximumRetryAttempts: 1,",
      named = "SweepFunction is called again")
  @Breach(
      replace = "- { Name: FunctionName, Value: !Ref SweepFunction }",
      by = "- { Name: FunctionName, Value: !Ref ApiFunction }",
      named = "no alarm counts the errors of SweepFunction")
  void countsCallsOfSweepThatFail(Repository repository) {
    var template = SamTemplate.of(repository);
    var sweep = Objects.requireNonNull(template.functions().get("SweepFunction"));
    assertEquals(
        "0",
        sweep.at("/EventInvokeConfig/MaximumRetryAttempts").asText(),
        "SweepFunction is called again");
    assertTrue(
        template.ofType("AWS::CloudWatch::Alarm").values().stream()
            .filter(alarm -> alarm.path("MetricName").asText().equals("Errors"))
            .anyMatch(alarm -> alarm.path("Dimensions").toString().contains("SweepFunction")),
        "no alarm counts the errors of SweepFunction");
  }

  @Gate
  @Breach(replace = "RUNYARD_TAIL_MILLIS:", by = "RUNYARD_TAIL:", named = "RUNYARD_TAIL,")
  @Breach(
      replace = "            - { Name: RUNYARD_FLUSH_MILLIS, Value: !Ref FlushMillis }\n",
      by = "",
      named = "RUNYARD_FLUSH_MILLIS")
  void givesTheVariablesThatTheCodeReads(Repository repository) throws IllegalAccessException {
    var template = SamTemplate.of(repository);
    var given = new TreeSet<String>();
    template.runnerContainer().path("Environment").forEach(v -> given.add(v.path("Name").asText()));
    template.functions().values().forEach(f -> given.addAll(template.environment(f).keySet()));
    given.removeIf(name -> !name.startsWith("RUNYARD_"));
    given.addAll(
        Set.of(
            Settings.SLOT,
            Settings.SLOT_CLAIM,
            Settings.FORM)); // Told to each runner at its start.
    var read = new TreeSet<String>();
    for (var field : Settings.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && field.get(null) instanceof String name
          && name.startsWith("RUNYARD_")) {
        read.add(name);
      }
    }
    read.removeAll( // A person's machine sets them.
        Set.of(Settings.ONE_MACHINE, Settings.HIDDEN, Settings.CALL_SECONDS));
    assertEquals(read, given);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, false, TemplateCodeTest.class.getClassLoader());
  }
}
