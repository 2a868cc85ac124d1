package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.bench.cost.AwsPrices;
import dev.runyard.bench.cost.RunCost;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.gates.pages.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The pages on deploying and operating, against the template.
@Reads(DeployPageTest.DEPLOY)
class DeployPageTest {
  static final String DEPLOY = "docs/deploy.md";
  private static final String SAM = "samconfig.toml";
  private static final String RUNBOOK = "docs/runbook/";
  private static final Pattern OVERRIDE = Pattern.compile("\"(\\w+)=([^\"]*)\"");
  private static final Pattern RESOURCE =
      Pattern.compile(
          "(?:\\$\\(resource|(?:^|`|; )(?:lines|waiting)|--logical-resource-id) (\\p{Upper}\\w+)",
          Pattern.MULTILINE);
  private static final Pattern OUTPUT = Pattern.compile("(?:\\$\\(|`)output (\\w+)");

  @Gate
  @Breach(replace = "| `RunnersMax` | `10` |", by = "| `RunnersMax` | `20` |", named = "`20`")
  @Breach(replace = "| `TaskDiskGib` |", by = "| `TaskDisk` |", named = "TaskDisk ")
  @Breach(
      in = SamTemplate.FILE,
      replace = "Parameters:\n",
      by = "Parameters:\n  Spare: { Type: String, Default: x }\n",
      named = "Spare")
  void namesEveryParameterWithItsDefault(Repository repository) {
    var declared = new ArrayList<String>();
    for (var parameter : SamTemplate.of(repository).root().path("Parameters").properties()) {
      var usual = parameter.getValue().path("Default").asText();
      declared.add(parameter.getKey() + " " + (usual.isEmpty() ? "" : "`" + usual + "`"));
    }
    var written = new ArrayList<String>();
    for (List<String> row : Page.of(repository, DEPLOY).tableUnder("## Parameters")) {
      written.add(row.get(0).replace("`", "") + " " + row.get(1));
    }
    assertEquals(declared.stream().sorted().toList(), written.stream().sorted().toList());
  }

  @Gate
  @Breach(in = SAM, replace = "StreamsMax=600", by = "StreamMax=600", named = "StreamMax")
  @Breach(in = SAM, replace = "StreamsMax=600", by = "StreamsMax=0", named = "StreamsMax")
  @Breach(in = SAM, replace = "ApiReserved=100", by = "ApiReserved=200", named = "992")
  void theEnvironmentForWorkKeepsReadersFromStarvingTheRest(Repository repository) {
    var template = SamTemplate.of(repository);
    var sum = 0;
    var names = new TreeSet<String>();
    for (var found : OVERRIDE.matcher(repository.text(SAM)).results().toList()) {
      var name = found.group(1);
      assertFalse(template.parameter(name).isMissingNode(), name);
      if (name.endsWith("Reserved") || name.equals("StreamsMax")) {
        var reserved = Integer.parseInt(found.group(2));
        assertTrue(reserved > 0, name);
        sum += reserved;
        names.add(name);
      }
    }
    assertEquals(7, names.size(), names::toString);
    assertTrue(sum <= 900, "Lambda lets 900 of 1000 be reserved, not " + sum);
  }

  @Gate
  @Breach(replace = "| 1024 | 4096 | $0.0466 |", by = "| 1024 | 4096 | $0.05 |", named = "$0.05")
  @Breach(replace = "| $1,942 |", by = "| $1,645 |", named = "$1,645")
  void sizesOfRunnersCostWhatTheModelSays(Repository repository) {
    var rows = Page.of(repository, DEPLOY).tableUnder("## What it costs");
    assertTrue(rows.size() > 2);
    for (List<String> row : rows) {
      var vcpu = Integer.parseInt(row.get(0)) / 1024.0;
      var gigabytes = Integer.parseInt(row.get(1)) / 1024.0;
      var hour = vcpu * AwsPrices.FARGATE_VCPU_HOUR + gigabytes * AwsPrices.FARGATE_GB_HOUR;
      var million = RunCost.runners(600, vcpu, gigabytes, 4);
      assertEquals(
          List.of(
              String.format(Locale.ROOT, "$%.4f", hour),
              String.format(Locale.ROOT, "$%,.0f", million)),
          row.subList(2, 4));
    }
  }

  @Gate
  @Breach(
      in = RUNBOOK + "DeadRunsAlarm.md",
      replace = "lines FunctionLogs",
      by = "lines FunctionLog",
      named = "FunctionLog")
  @Breach(
      in = RUNBOOK + "LostRecordsAlarm.md",
      replace = "output LostRecordsQueueUrl",
      by = "output LostQueueUrl",
      named = "LostQueueUrl")
  @Breach(
      replace = "--logical-resource-id Api ",
      by = "--logical-resource-id Gateway ",
      named = "Gateway")
  void commandsNameResourcesAndOutputsThatThereAre(Repository repository) {
    var template = SamTemplate.of(repository);
    var missing = new TreeSet<String>();
    var named = 0;
    for (var page : repository.files(".md")) {
      if (page.startsWith(RUNBOOK) || page.equals(DEPLOY)) {
        var text = repository.text(page);
        for (var found : RESOURCE.matcher(text).results().toList()) {
          named++;
          if (!template.root().path("Resources").has(found.group(1))) {
            missing.add(page + ": " + found.group(1));
          }
        }
        for (var found : OUTPUT.matcher(text).results().toList()) {
          named++;
          if (!template.root().path("Outputs").has(found.group(1))) {
            missing.add(page + ": " + found.group(1));
          }
        }
      }
    }
    assertEquals(new TreeSet<>(), missing);
    assertTrue(named > 20, "only " + named);
  }

  /// A pattern of a command finds what is written, or it shows nothing when it is needed.
  @Gate
  @Breach(
      in = RUNBOOK + "DeadRunsAlarm.md",
      replace = "$.event = \"dead_letter\"",
      by = "$.event = \"dead_letters\"",
      named = "dead_letters")
  void commandsLookForLinesThatAreWritten(Repository repository) {
    var known = new TreeSet<String>();
    WrittenLines.byMetric()
        .values()
        .forEach(lines -> lines.forEach(line -> known.add(line.path("event").asText())));
    WrittenLines.usual().forEach(line -> known.add(line.path("event").asText()));
    known.add("sweep_failed"); // HandlerTest of sweep has it written.
    var unknown = new TreeSet<String>();
    for (var page : repository.files(".md")) {
      if (page.startsWith(RUNBOOK)) {
        Pattern.compile("\\$\\.event = \"(\\w+)\"")
            .matcher(repository.text(page))
            .results()
            .forEach(found -> unknown.add(found.group(1)));
      }
    }
    unknown.removeAll(known);
    assertEquals(new TreeSet<>(), unknown);
  }
}
