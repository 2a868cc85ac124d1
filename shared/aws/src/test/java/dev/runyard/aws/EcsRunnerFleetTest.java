package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.RunnerFleet.Start;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.testkit.contract.RunnerFleetContract;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.ecs.EcsClient;

class EcsRunnerFleetTest extends RunnerFleetContract {
  private static final String TASK =
      "arn:aws:ecs:us-east-1:000000000000:task-definition/stack-runner:7";
  private final EcsServer server;
  private final EcsClient ecs;
  private final RunnerFleet fleet;

  EcsRunnerFleetTest() throws IOException {
    server = new EcsServer();
    Settings settings =
        Emulators.settings(
            Map.of(
                Settings.ENDPOINT_URL, server.url(),
                Settings.CLUSTER, "runners",
                Settings.TASK_DEFINITION, TASK,
                Settings.SUBNETS, "subnet-1, subnet-2",
                Settings.SECURITY_GROUPS, "sg-1",
                Settings.ASSIGN_PUBLIC_IP, "ENABLED"));
    ecs = new AwsClients(settings).ecs();
    fleet = new EcsRunnerFleet(ecs, EcsRunnerFleet.Placement.of(settings));
  }

  @AfterEach
  void stop() {
    ecs.close();
    server.close();
  }

  @Override
  protected RunnerFleet fleet() {
    return fleet;
  }

  @Override
  protected void stopWithoutImage(String task) {
    server.stop(
        task,
        "CannotPullContainerError: pull image manifest has been retried 1 time(s): failed to resolve"
            + " ref: not found");
  }

  @Override
  protected void exhaust() {
    server.fill("Capacity is unavailable at this time");
  }

  @Override
  protected void forbid() {
    server.fail(400, "{\"__type\":\"AccessDeniedException\",\"message\":\"not authorized\"}");
  }

  @Test
  void startsATaskForItsSlotWithAPublicAddressOnTheClustersOwnCapacity() {
    fleet.start(3, "claim-1");

    JsonNode request = server.requests().getFirst();
    JsonNode network = request.at("/networkConfiguration/awsvpcConfiguration");
    assertEquals("runners", request.get("cluster").textValue());
    assertEquals(TASK, request.get("taskDefinition").textValue());
    assertEquals(1, request.get("count").intValue());
    assertEquals("runyard", request.get("startedBy").textValue());
    assertEquals("claim-1", request.get("clientToken").textValue());
    assertEquals("ENABLED", network.get("assignPublicIp").textValue());
    assertEquals("[\"subnet-1\",\"subnet-2\"]", network.get("subnets").toString());
    assertEquals("[\"sg-1\"]", network.get("securityGroups").toString());
    assertFalse(request.has("launchType"));
    JsonNode container = request.at("/overrides/containerOverrides/0");
    assertEquals("runner", container.get("name").textValue());
    assertEquals(
        "[{\"name\":\"RUNYARD_SLOT\",\"value\":\"3\"},"
            + "{\"name\":\"RUNYARD_SLOT_CLAIM\",\"value\":\"claim-1\"},"
            + "{\"name\":\"RUNYARD_FORM\",\"value\":\"2\"}]",
        container.get("environment").toString());
  }

  /// The answer was lost, and a deployment came before the start was requested again.
  @Test
  void isToldTheTaskOfAClaimThoughItsRunnersAreStartedOtherwiseNow() {
    RunnerFleet.Start before = fleet.start(0, "claim-1");
    RunnerFleet deployed =
        new EcsRunnerFleet(
            ecs,
            new EcsRunnerFleet.Placement(
                "runners", TASK + "1", List.of("subnet-1"), List.of("sg-1"), false));

    assertEquals(before, deployed.start(0, "claim-1"));
  }

  @Test
  void startsATaskWithoutAPublicAddressWhereItsSubnetsHaveAnotherWayOut() {
    new EcsRunnerFleet(
            ecs,
            new EcsRunnerFleet.Placement(
                "runners", TASK, List.of("subnet-1"), List.of("sg-1"), false))
        .start(0, "claim-1");

    assertEquals(
        "DISABLED",
        server
            .requests()
            .getFirst()
            .at("/networkConfiguration/awsvpcConfiguration/assignPublicIp")
            .textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NO_IMAGE        | pull image manifest has been retried 1 time(s): failed to resolve ref x: not found
          NO_IMAGE        | pull access denied, repository does not exist or may require authorization
          NO_IMAGE        | image Manifest does not contain descriptor matching platform 'linux/arm64'
          PULL_FAILED     | dial tcp 10.0.0.1:443: i/o timeout
          PULL_FAILED     | net/http: request canceled while waiting for connection
          PULL_FAILED     | You have reached your pull rate limit
          """)
  void tellsAnImageThatIsNotThereFromARegistryThatDoesNotAnswer(
      StartFailure.Cause cause, String message) {
    fleet.start(0, "claim-1");
    String task = "arn:aws:ecs:us-east-1:000000000000:task/runners/1";
    server.stop(task, "CannotPullContainerError: " + message);

    assertEquals(cause, stopped(task).cause());
  }

  @Test
  void knowsARunnerThatIsOlderThanTheFunctionsByItsExitStatus() {
    assertEquals(
        StartFailure.Cause.OUTDATED_RUNNER,
        StartReasons.of("EssentialContainerExited [exit 79]", StartFailure.Cause.STOPPED));
  }

  @Test
  void knowsARunnerThatCannotKeepRunsApartByItsExitStatus() {
    assertEquals(
        StartFailure.Cause.NO_ISOLATION,
        StartReasons.of("EssentialContainerExited [exit 78]", StartFailure.Cause.STOPPED));
  }

  private StartFailure stopped(String task) {
    return assertInstanceOf(
            RunnerFleet.Fate.Stopped.class, fleet.look(List.of(task)).get(task), task)
        .why();
  }

  @Test
  void saysWhyAStartIsRefused() {
    refused(
        StartFailure.Cause.THROTTLED,
        "{\"__type\":\"ThrottlingException\",\"message\":\"Rate exceeded\"}");
    refused(
        StartFailure.Cause.NO_ADDRESS,
        "{\"__type\":\"ClientException\",\"message\":\"The subnet has not enough free addresses\"}");
    refused(
        StartFailure.Cause.QUOTA,
        "{\"__type\":\"ClientException\",\"message\":\"You've reached the limit on the number of"
            + " vCPUs you can run concurrently\"}");
    refused(
        StartFailure.Cause.REFUSED,
        "{\"__type\":\"AccessDeniedException\",\"message\":\"not authorized\"}");
  }

  private void refused(StartFailure.Cause cause, String body) {
    server.fail(400, body);

    Start.Refused refused = assertInstanceOf(Start.Refused.class, fleet.start(0, "claim"), body);

    assertEquals(cause, refused.failure().cause());
    assertFalse(refused.none(), "it may have refused before it looked for the claim");
  }

  @Test
  void doesNotKnowWhetherItStartedAfterAnErrorOfTheService() {
    server.fail(500, "{\"__type\":\"ServerException\",\"message\":\"try again\"}");

    assertThrows(PortUnavailable.class, () -> fleet.start(0, "claim"));
    assertThrows(PortUnavailable.class, () -> fleet.look(List.of("task")));
    assertEquals(2 * AwsClients.ATTEMPTS_MAX, server.requests().size());
  }
}
