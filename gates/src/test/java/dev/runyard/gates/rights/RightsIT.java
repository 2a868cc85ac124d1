package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import dev.runyard.local.emulator.EmbeddedSecrets;
import dev.runyard.local.rights.CallRecord.Calls;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Runs after the system tests, on what the roles of all their stacks called: template.yaml grants
/// each call, and grants nothing that none of them needs.
final class RightsIT {
  private static final String TEMPLATE = "template.yaml";

  /// What the hooks of a system test are signed with.
  private static final Map<String, String> SECRETS =
      Map.of(
          "HookSecretArns",
          EmbeddedSecrets.secretArn("team/github-hook"),
          "HookSecretParameterArns",
          EmbeddedSecrets.parameterArn("/hook"));

  private static final String MISSED =
      "sweep does this for what advance and project missed, and whether a minute of the system"
          + " tests has any such thing is chance; ProductRightsTest has it do so";
  private static final String ASIDE =
      "project and advance set aside what they cannot handle, and in the system tests they can"
          + " handle everything; ProductRightsTest has them do so";
  private static final String REFUSED =
      "deliver sends a message again where a receiver does not take it, and those of the system"
          + " tests on emulators take all; ProductRightsTest has one that does not answer";
  private static final String REPEATED =
      "a client interrupts, has its run held and repeats its request once a place is free, which no"
          + " system test waits for; ProductRightsTest has clients do so";
  private static final String LEASE =
      "a runner extends its lease in runs that take longer than a third of it, and whether any of"
          + " the system tests does is chance; ProductRightsTest has it do so";
  private static final String LOST =
      "a runner removes the change of an attempt that has lost its run when the attempt ends, which"
          + " no system test brings about; ProductRightsTest has a runner do so";
  private static final String GOES_ON =
      "what another run or turn has left is looked for where a request goes on from it, and on"
          + " emulators none does; ProductRightsTest has clients do so";
  private static final String OBJECTS = "arn:aws:s3:::artifactsbucket/*/";
  private static final String TASKS = "arn:aws:ecs:us-east-1:000000000000:task/Cluster/*";
  private static final String EVENTS = "arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable";
  private static final String VIEWS = "arn:aws:dynamodb:us-east-1:000000000000:table/ViewsTable";
  private static final String QUEUES = "arn:aws:sqs:us-east-1:000000000000:";
  private static final String ROLES = "arn:aws:iam::000000000000:role/";

  /// Rights that the system tests need not need, each with the reason why it stays.
  private static final Map<String, String> UNSEEN =
      Map.ofEntries(
          Map.entry("SweepFunction dynamodb:Query " + EVENTS, MISSED),
          Map.entry("SweepFunction dynamodb:PutItem " + EVENTS, MISSED),
          Map.entry("SweepFunction dynamodb:GetItem " + VIEWS, MISSED),
          Map.entry("SweepFunction dynamodb:PutItem " + VIEWS, MISSED),
          Map.entry("SweepFunction dynamodb:UpdateItem " + VIEWS, MISSED),
          Map.entry("SweepFunction dynamodb:DeleteItem " + VIEWS, MISSED),
          Map.entry("SweepFunction sqs:SendMessage " + QUEUES + "RunQueue", MISSED),
          Map.entry("SweepFunction sqs:SendMessage " + QUEUES + "WebhookQueue", MISSED),
          Map.entry("DeliverFunction sqs:SendMessage " + QUEUES + "WebhookQueue", REFUSED),
          Map.entry("SweepFunction sqs:DeleteMessage " + QUEUES + "DeadLetterQueue", MISSED),
          Map.entry("SweepFunction sqs:DeleteMessage " + QUEUES + "StreamFailureQueue", MISSED),
          Map.entry("SweepFunction dynamodb:Query " + VIEWS, MISSED),
          Map.entry("SweepFunction ecs:DescribeTasks " + TASKS, MISSED),
          Map.entry(
              "SweepFunction ecs:RunTask"
                  + " arn:aws:ecs:us-east-1:000000000000:task-definition/runyard-runner:*",
              MISSED),
          Map.entry("ProjectFunction sqs:SendMessage " + QUEUES + "StreamFailureQueue", ASIDE),
          Map.entry("AdvanceFunction sqs:SendMessage " + QUEUES + "StreamFailureQueue", ASIDE),
          Map.entry("ApiFunction dynamodb:DeleteItem " + VIEWS, REPEATED),
          Map.entry("StreamFunction dynamodb:DeleteItem " + VIEWS, REPEATED),
          Map.entry("RunnerRole sqs:ChangeMessageVisibility " + QUEUES + "RunQueue", LEASE),
          Map.entry("RunnerRole s3:DeleteObject " + OBJECTS + "runs/*/changes/*", LOST),
          Map.entry("ApiFunction s3:GetObject " + OBJECTS + "workspaces/*/left.json", GOES_ON),
          Map.entry("ApiFunction s3:GetObject " + OBJECTS + "sessions/*/session/*", GOES_ON),
          Map.entry("StreamFunction s3:GetObject " + OBJECTS + "workspaces/*/left.json", GOES_ON),
          Map.entry("ApiFunction s3:GetObject " + OBJECTS + "runs/*/changes/list.json", GOES_ON),
          Map.entry("SweepFunction iam:PassRole " + ROLES + "RunnerRole", MISSED),
          Map.entry("SweepFunction iam:PassRole " + ROLES + "RunnerStartRole", MISSED));

  @Test
  void everyCallIsGranted() throws IOException {
    Calls calls = calls();

    assertFalse(calls.granted().isEmpty(), "no call was recorded");
    Rights rights = rights(Repository.OURS);
    assertEquals(List.of(), rights.missing(calls.refused()));
    assertEquals(Set.of(), calls.refused());
    assertEquals(List.of(), rights.missing(calls.granted()));
  }

  @Test
  void everyRightIsNeeded() throws IOException {
    if (!property("system.tests").equals(property("system.tests.all"))) {
      System.out.println(
          "Rights that nothing needs were not looked for: not all system tests ran.");
      return;
    }
    List<String> unneeded = names(rights(Repository.OURS).unneeded(calls().granted()));
    unneeded.removeAll(UNSEEN.keySet());
    assertEquals(
        List.of(), unneeded, "remove from template.yaml, or say in UNSEEN why the right stays");
  }

  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "Action: [sqs:ReceiveMessage, sqs:DeleteMessage]",
      by = "Action: sqs:ReceiveMessage",
      named = "SweepFunction sqs:DeleteMessage")
  void everyExceptionIsARightOfTheTemplate(Repository repository) {
    Set<String> gone = new TreeSet<>(UNSEEN.keySet());
    names(rights(repository).given()).forEach(gone::remove);
    assertEquals(Set.of(), gone, "remove from UNSEEN");
  }

  private static List<String> names(List<Rights.Held> rights) {
    return rights.stream().map(Rights.Held::name).sorted().collect(Collectors.toList());
  }

  private static Calls calls() throws IOException {
    Path folder = Path.of(property("calls"));
    if (!Files.isDirectory(folder)) {
      throw new AssertionError("no system test recorded a call in " + folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> records = files.toList();
      return Calls.read(records);
    }
  }

  private static Rights rights(Repository repository) {
    return Rights.of(new Blueprint(Template.parse(repository.text(TEMPLATE), SECRETS)));
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty("runyard." + name), name);
  }
}
