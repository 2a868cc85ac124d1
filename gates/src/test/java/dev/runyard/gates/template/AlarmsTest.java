package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Planted;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whether each alarm watches something that is really reported, and is explained.
@Reads(SamTemplate.FILE)
class AlarmsTest {
  private static final String RUNBOOK = "docs/runbook/";
  private static final String INDEX = RUNBOOK + "README.md";

  /// The dimensions under which AWS reports a metric, as far as they are used here.
  private static final Map<String, Set<Set<String>>> REPORTED =
      Map.ofEntries(
          Map.entry("AWS/SQS ApproximateNumberOfMessagesVisible", Set.of(Set.of("QueueName"))),
          Map.entry("AWS/SQS ApproximateNumberOfMessagesNotVisible", Set.of(Set.of("QueueName"))),
          Map.entry("AWS/Lambda Errors", Set.of(Set.of("FunctionName"))),
          Map.entry("AWS/Lambda Throttles", Set.of(Set.of("FunctionName"))),
          Map.entry("AWS/Lambda Invocations", Set.of(Set.of("FunctionName"))),
          Map.entry("AWS/Lambda Duration", Set.of(Set.of("FunctionName"))),
          Map.entry("AWS/Lambda ConcurrentExecutions", Set.of(Set.of("FunctionName"))),
          Map.entry("AWS/Lambda IteratorAge", Set.of(Set.of("FunctionName", "Resource"))),
          Map.entry("AWS/DynamoDB ConsumedReadCapacityUnits", Set.of(Set.of("TableName"))),
          Map.entry("AWS/DynamoDB ConsumedWriteCapacityUnits", Set.of(Set.of("TableName"))),
          Map.entry("AWS/DynamoDB ReadThrottleEvents", Set.of(Set.of("TableName"))),
          Map.entry(
              "AWS/DynamoDB WriteThrottleEvents",
              Set.of(Set.of("TableName"), Set.of("TableName", "GlobalSecondaryIndexName"))),
          Map.entry("AWS/ApiGateway Count", Set.of(Set.of("ApiName", "Stage"))),
          Map.entry("AWS/ApiGateway 4XXError", Set.of(Set.of("ApiName", "Stage"))),
          Map.entry("AWS/ApiGateway 5XXError", Set.of(Set.of("ApiName", "Stage"))));

  private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\{([A-Za-z]+)(\\.[A-Za-z]+)?\\}");

  @Gate
  @Breach(
      replace = "  DeadRunsAlarm:\n",
      by = "  DeadRunAlarm:\n",
      named = "docs/runbook/DeadRunAlarm.md")
  @Breach(in = RUNBOOK + "DeadRunsAlarm.md", by = "", named = "docs/runbook/DeadRunsAlarm.md")
  @Breach(in = RUNBOOK + "SpareAlarm.md", by = "# SpareAlarm", named = "docs/runbook/SpareAlarm.md")
  @Breach(
      in = INDEX,
      replace = "(DeadRunsAlarm.md)",
      by = "(StartFailuresAlarm.md)",
      named = "DeadRunsAlarm")
  @Breach(
      in = INDEX,
      replace = "| A runner did not start. |",
      by = "| A runner stopped. |",
      named = "StartFailuresAlarm")
  @Breach(
      replace = "See docs/runbook/DeadRunsAlarm.md.",
      by = "See docs/runbook.",
      named = "DeadRunsAlarm does not name its page")
  void everyAlarmHasAPageAndEveryPageAnAlarm(Repository repository) {
    var alarms = SamTemplate.of(repository).ofType("AWS::CloudWatch::Alarm");
    var expected = new TreeSet<String>();
    alarms.keySet().forEach(name -> expected.add(RUNBOOK + name + ".md"));
    var pages = new TreeSet<>(repository.files("Alarm.md"));
    pages.removeIf(page -> !page.startsWith(RUNBOOK));
    assertEquals(expected, pages);
    alarms.forEach(
        (name, alarm) -> {
          var description = alarm.path("AlarmDescription").asText();
          var end = " See " + page(name) + ".";
          assertTrue(description.endsWith(end), name + " does not name its page");
          var says = description.substring(0, description.length() - end.length());
          assertTrue(
              repository.text(page(name)).startsWith("# " + name + "\n\n" + says + "\n"),
              page(name));
          assertTrue(
              repository.text(INDEX).contains("[%1$s](%1$s.md) | %2$s |".formatted(name, says)),
              name + " is not in " + INDEX);
        });
  }

  @Gate
  @Breach(
      in = RUNBOOK + "DeadRunsAlarm.md",
      replace = "## How it ends",
      by = "## The end",
      named = "DeadRunsAlarm.md")
  void everyPageSaysWhatItMeansWhatToDoAndHowItEnds(Repository repository) {
    for (var name : SamTemplate.of(repository).ofType("AWS::CloudWatch::Alarm").keySet()) {
      var headings =
          repository.text(page(name)).lines().filter(line -> line.startsWith("## ")).toList();
      assertEquals(
          List.of("## What it means", "## What to look at", "## What to do", "## How it ends"),
          headings,
          page(name));
    }
  }

  @Gate
  @Breach(
      replace = "MetricName: DeadRuns\n",
      by = "MetricName: DeadRun\n",
      named = "DeadRunsAlarm: DeadRun")
  @Breach(
      replace = "MetricName: DeadRuns, MetricValue",
      by = "MetricName: DeadOnes, MetricValue",
      named = "DeadRunsAlarm: DeadRuns")
  @Breach(
      replace = "MetricNamespace: !Ref AWS::StackName, MetricName: DeadRuns",
      by = "MetricNamespace: Runyard, MetricName: DeadRuns",
      named = "DeadRunsAlarm: DeadRuns")
  @Breach(
      replace = "MetricName: Invocations\n      Dimensions:\n        - { Name: FunctionName",
      by = "MetricName: Invocations\n      Dimensions:\n        - { Name: Function",
      named = "SweepMissingAlarm")
  @Breach(
      replace = "Value: !GetAtt LostRecordsQueue.QueueName",
      by = "Value: !GetAtt LostRecordsQueue.Arn",
      named = "LostRecordsAlarm")
  @Breach(
      replace = "MetricName: Throttles, Dimensions: [{ Name: FunctionName, Value: !Ref ApiFunction",
      by = "MetricName: Throttles, Dimensions: [{ Name: FunctionName, Value: !Ref Api",
      named = "ThrottlesAlarm")
  @Breach(
      replace = "FILL(deliver, 0)])\" }",
      by = "FILL(delivers, 0)])\" }",
      named = "FunctionErrorsAlarm")
  void everyAlarmWatchesAMetricThatIsReported(Repository repository) {
    var template = SamTemplate.of(repository);
    var counted = metrics(template);
    template
        .ofType("AWS::CloudWatch::Alarm")
        .forEach(
            (name, alarm) -> {
              for (var metric : watched(name, alarm)) {
                if (metric.at("/Namespace/Ref").asText().equals("AWS::StackName")) {
                  var metricName = metric.path("MetricName").asText();
                  assertTrue(counted.remove(metricName), name + ": " + metricName);
                  assertTrue(metric.path("Dimensions").isMissingNode(), name);
                } else {
                  assertReported(template, name, metric);
                }
              }
            });
    assertEquals(Set.of(), counted, "nothing watches them");
  }

  /// A function that is added is not forgotten.
  @Gate
  @Breach(
      replace =
          "MetricName: Errors, Dimensions: [{ Name: FunctionName, Value: !Ref DeliverFunction",
      by = "MetricName: Errors, Dimensions: [{ Name: FunctionName, Value: !Ref ApiFunction",
      named = "Errors of DeliverFunction")
  @Breach(
      replace = "\"Throttles\",\"FunctionName\",\"${ManageFunction}\"",
      by = "\"Throttles\",\"FunctionName\",\"${ApiFunction}\"",
      named = "Throttles of ManageFunction")
  void alarmsAndDashboardWatchEachFunction(Repository repository) {
    var template = SamTemplate.of(repository);
    var watched = new TreeSet<String>();
    template
        .ofType("AWS::CloudWatch::Alarm")
        .forEach(
            (name, alarm) ->
                watched(name, alarm)
                    .forEach(
                        metric ->
                            watched.add(
                                metric.path("MetricName").asText()
                                    + " of "
                                    + metric.at("/Dimensions/0/Value/Ref").asText())));
    var shown = template.properties("StackDashboard").at("/DashboardBody/Fn::Sub").asText();
    var missing = new TreeSet<String>();
    for (var function : template.functions().keySet()) {
      for (var metric : List.of("Errors", "Throttles")) {
        if (!watched.contains(metric + " of " + function)
            || !shown.contains("\"%s\",\"FunctionName\",\"${%s}\"".formatted(metric, function))) {
          missing.add(metric + " of " + function);
        }
      }
    }
    assertEquals(Set.of(), missing);
  }

  @Gate
  @Breach(replace = "\"dead_letter\"", by = "\"dead_letters\"", named = "DeadRuns")
  @Breach(replace = "\"run_set_aside\"", by = "\"set_aside\"", named = "SetAsideRuns")
  @Breach(replace = "\"set_aside_failed\"", by = "\"aside_failed\"", named = "NotSetAside")
  @Breach(replace = "\"runner_start_failed\"", by = "\"start_failed\"", named = "StartFailures")
  @Breach(replace = "\"bus_refused\"", by = "\"refused\"", named = "BusRefusals")
  @Breach(
      replace = "$.function = \"sweep\"",
      by = "$.function = \"advance\"",
      named = "RunnersAtMax")
  @Breach(replace = "$.waited_seconds > 0 }", by = "$.waited > 0 }", named = "WaitedSeconds")
  @Breach(replace = "\"$.waited_seconds\"", by = "\"$.millis\"", named = "WaitedSeconds")
  @Breach(replace = "$.level = \"error\"", by = "$.level = \"ERROR\"", named = "RunnerErrors")
  @Breach(
      replace = "{ $.event = \"dead_letter\" }",
      by = "{ $.event = \"sweep\" }",
      named = "DeadRuns counts what is usual")
  void everyFilterFindsTheLinesThatTheCodeWrites(Repository repository) {
    var written = WrittenLines.byMetric();
    var usual = WrittenLines.usual();
    var filters = SamTemplate.of(repository).ofType("AWS::Logs::MetricFilter");
    assertEquals(new TreeSet<>(written.keySet()), filters.keySet());
    filters.forEach(
        (name, filter) -> {
          var pattern = LogPattern.of(filter.path("FilterPattern").asText());
          var found = written.getOrDefault(name, List.of()).stream().filter(pattern::matches);
          var lines = found.toList();
          assertEquals(1, lines.size(), name + ": " + written.get(name));
          assertTrue(usual.stream().noneMatch(pattern::matches), name + " counts what is usual");
          var value = filter.at("/MetricTransformations/0/MetricValue").asText();
          if (value.startsWith("$.")) {
            assertTrue(pattern.members().contains(value.substring(2)), name + ": " + value);
            assertTrue(lines.getFirst().path(value.substring(2)).isNumber(), name);
          } else {
            assertEquals("1", value, name);
          }
          var group = name.startsWith("RunnerE") ? "RunnerLogs" : "FunctionLogs";
          assertEquals(group, filter.at("/LogGroupName/Ref").asText(), name);
        });
  }

  @Planted("everyFilterFindsTheLinesThatTheCodeWrites")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dead_letter",
        "{ $.event = dead_letter }",
        "{ $.event = \"dead*\" }",
        "{ $.event = \"a\" || $.event = \"b\" }",
        "{ $.at_max IS TRUE }",
        "{ $.event > \"a\" }"
      })
  void refusesPatternsItCannotPlay(String pattern) {
    assertThrows(AssertionError.class, () -> LogPattern.of(pattern));
  }

  @Gate
  @Breach(
      replace = "\"AWS/Lambda\",\"Throttles\",\"FunctionName\"",
      by = "\"AWS/Lambda\",\"Throttle\",\"FunctionName\"",
      named = "AWS/Lambda Throttle")
  @Breach(
      replace = "\"${AWS::StackName}\",\"DeadRuns\"",
      by = "\"${AWS::StackName}\",\"DeadRun\"",
      named = "DeadRun")
  @Breach(replace = "\"${DeadRunsAlarm.Arn}\",", by = "", named = "DeadRunsAlarm")
  @Breach(
      replace = "\"QueueName\",\"${RunQueue.QueueName}\"",
      by = "\"QueueName\",\"${RunsQueue.QueueName}\"",
      named = "RunsQueue")
  @Breach(replace = "{\"widgets\":[", by = "{\"widgets\":[{", named = "was expecting")
  void theDashboardShowsAlarmsAndMetricsThatThereAre(Repository repository) {
    var template = SamTemplate.of(repository);
    var body = template.properties("StackDashboard").at("/DashboardBody/Fn::Sub").asText();
    var named = new TreeSet<String>();
    SUBSTITUTED.matcher(body).results().forEach(found -> named.add(found.group(1)));
    named.removeIf(name -> template.root().path("Resources").has(name));
    assertEquals(Set.of(), named);
    var counted = metrics(template);
    var shown = new ArrayList<JsonNode>();
    var dashboard = assertDoesNotThrow(() -> new ObjectMapper().readTree(body));
    for (var widget : dashboard.path("widgets")) {
      if (widget.path("type").asText().equals("alarm")) {
        widget.at("/properties/alarms").forEach(shown::add);
      }
      for (var metric : widget.at("/properties/metrics")) {
        var namespace = metric.path(0).asText();
        var metricName = metric.path(1).asText();
        if (namespace.equals("${AWS::StackName}")) {
          assertTrue(counted.contains(metricName), metricName);
        } else {
          var dimensions = new TreeSet<String>();
          for (var i = 2; i + 1 < metric.size(); i += 2) {
            dimensions.add(metric.path(i).asText());
          }
          var known = REPORTED.getOrDefault(namespace + " " + metricName, Set.of());
          assertTrue(known.contains(dimensions), namespace + " " + metricName + dimensions);
        }
      }
    }
    var expected = new TreeMap<>(template.ofType("AWS::CloudWatch::Alarm"));
    // One that is not always there cannot be named in a text.
    expected.keySet().removeIf(n -> template.root().path("Resources").path(n).has("Condition"));
    assertEquals(
        expected.keySet().stream().map(name -> "${" + name + ".Arn}").toList(),
        shown.stream().map(JsonNode::asText).sorted().toList());
  }

  private static String page(String alarm) {
    return RUNBOOK + alarm + ".md";
  }

  /// What the filters count, by the names under which alarms find it.
  private static Set<String> metrics(SamTemplate template) {
    var names = new TreeSet<String>();
    template
        .ofType("AWS::Logs::MetricFilter")
        .values()
        .forEach(
            filter -> {
              var to = filter.at("/MetricTransformations/0");
              if (to.at("/MetricNamespace/Ref").asText().equals("AWS::StackName")) {
                names.add(to.path("MetricName").asText());
              }
            });
    return names;
  }

  /// The metrics of an alarm: its one, or those of its expression, each of which it uses.
  private static List<JsonNode> watched(String name, JsonNode alarm) {
    if (alarm.path("Metrics").isMissingNode()) {
      return List.of(alarm);
    }
    var metrics = new ArrayList<JsonNode>();
    var given = new TreeSet<String>();
    var expression = "";
    for (var metric : alarm.path("Metrics")) {
      if (metric.has("Expression")) {
        assertTrue(expression.isEmpty(), name);
        var written = metric.path("Expression");
        expression = written.isTextual() ? written.asText() : written.path("Fn::Sub").asText();
      } else {
        given.add(metric.path("Id").asText());
        assertEquals("false", metric.path("ReturnData").asText(), name);
        metrics.add(metric.at("/MetricStat/Metric"));
      }
    }
    var used = new TreeSet<String>();
    var plain = expression.replaceAll("\\$\\{\\w+\\}", "");
    Pattern.compile("\\b[a-z]\\w*\\b").matcher(plain).results().forEach(m -> used.add(m.group()));
    assertEquals(given, used, name);
    return metrics;
  }

  private static void assertReported(SamTemplate template, String alarm, JsonNode metric) {
    var dimensions = new TreeSet<String>();
    for (var dimension : metric.path("Dimensions")) {
      var dimensionName = dimension.path("Name").asText();
      dimensions.add(dimensionName);
      assertEquals(
          type(dimensionName),
          template
              .root()
              .path("Resources")
              .path(resource(dimensionName, dimension.path("Value")))
              .path("Type")
              .asText(),
          alarm + ": " + dimension);
    }
    var name = metric.path("Namespace").asText() + " " + metric.path("MetricName").asText();
    assertTrue(
        REPORTED.getOrDefault(name, Set.of()).contains(dimensions),
        alarm + ": " + name + " " + dimensions);
  }

  private static String type(String dimension) {
    return switch (dimension) {
      case "QueueName" -> "AWS::SQS::Queue";
      case "FunctionName", "Resource" -> "AWS::Serverless::Function";
      case "TableName" -> "AWS::DynamoDB::Table";
      default -> "";
    };
  }

  /// What a value names, if it names it as the dimension wants it.
  private static String resource(String dimension, JsonNode value) {
    return switch (dimension) {
      case "QueueName" -> value.path("Fn::GetAtt").asText().replaceFirst("\\.QueueName$", "");
      case "Resource" -> value.path("Fn::Sub").asText().replaceAll("^\\$\\{|\\}:live$", "");
      case "FunctionName", "TableName" -> value.path("Ref").asText();
      default -> {
        assertFalse(value.isMissingNode());
        yield "";
      }
    };
  }
}
