package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.fleet.RunnerFleet;
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
  protected void leave(int count) {
    server.stopTasks(count);
  }

  @Test
  void startsTasksWithAPublicAddressOnTheClustersOwnCapacity() {
    fleet.start(2, "cause");

    JsonNode request = server.requests().getFirst();
    JsonNode network = request.at("/networkConfiguration/awsvpcConfiguration");
    assertEquals("runners", request.get("cluster").textValue());
    assertEquals(TASK, request.get("taskDefinition").textValue());
    assertEquals(2, request.get("count").intValue());
    assertEquals("runyard", request.get("startedBy").textValue());
    assertTrue(request.get("clientToken").textValue().matches("[0-9a-f]{64}"));
    assertEquals("ENABLED", network.get("assignPublicIp").textValue());
    assertEquals("[\"subnet-1\",\"subnet-2\"]", network.get("subnets").toString());
    assertEquals("[\"sg-1\"]", network.get("securityGroups").toString());
    assertFalse(request.has("launchType"));
  }

  @Test
  void countsTheTasksOfItsFamilyOnly() {
    fleet.active();

    JsonNode request = server.requests().getFirst();
    assertEquals("runners", request.get("cluster").textValue());
    assertEquals("stack-runner", request.get("family").textValue());
    assertEquals("RUNNING", request.get("desiredStatus").textValue());
    assertFalse(request.has("startedBy"));
  }

  @Test
  void startsMoreThanOneCallCanInSeveralCalls() {
    fleet.start(23, "cause");

    assertEquals(
        List.of(10, 10, 3),
        server.requests().stream().map(request -> request.get("count").intValue()).toList());
    assertEquals(23, fleet.active());
  }

  @Test
  void isUnavailableWhenThereIsNoCapacity() {
    server.fail(
        200, "{\"tasks\":[],\"failures\":[{\"reason\":\"Capacity is unavailable at this time\"}]}");

    PortUnavailable refused = assertThrows(PortUnavailable.class, () -> fleet.start(2, "cause"));

    assertEquals(
        "1 of 2 runners did not start: [Capacity is unavailable at this time]",
        refused.getMessage());
    assertEquals(1, server.requests().size());
  }

  @Test
  void isUnavailableWhenItIsThrottled() {
    server.fail(400, "{\"__type\":\"ThrottlingException\",\"message\":\"Rate exceeded\"}");

    assertThrows(PortUnavailable.class, fleet::active);

    assertEquals(AwsClients.ATTEMPTS_MAX, server.requests().size());
  }
}
