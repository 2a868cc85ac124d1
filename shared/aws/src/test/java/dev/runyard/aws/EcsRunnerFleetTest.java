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
        new Settings(
            Map.of(
                Settings.REGION, "us-east-1",
                Settings.ACCESS_KEY_ID, "local",
                Settings.SECRET_ACCESS_KEY, "local",
                Settings.ENDPOINT_URL, server.url(),
                Settings.CLUSTER, "runners",
                Settings.TASK_DEFINITION, TASK,
                Settings.SUBNETS, "subnet-1, subnet-2",
                Settings.SECURITY_GROUPS, "sg-1"));
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
    server.fail(
        200, "{\"tasks\":[],\"failures\":[{\"reason\":\"Capacity is unavailable at this time\"}]}");
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
            + "{\"name\":\"RUNYARD_SLOT_CLAIM\",\"value\":\"claim-1\"}]",
        container.get("environment").toString());
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
  }

  @Test
  void doesNotKnowWhetherItStartedAfterAnErrorOfTheService() {
    server.fail(500, "{\"__type\":\"ServerException\",\"message\":\"try again\"}");

    assertThrows(PortUnavailable.class, () -> fleet.start(0, "claim"));
    assertThrows(PortUnavailable.class, () -> fleet.look(List.of("task")));
    assertEquals(2 * AwsClients.ATTEMPTS_MAX, server.requests().size());
  }
}
