package dev.runyard.aws;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.PortUnavailable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.AssignPublicIp;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.DesiredStatus;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.ListTasksRequest;
import software.amazon.awssdk.services.ecs.model.ListTasksResponse;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;

/// Runners as ECS tasks of one family. Which capacity they run on, and so what they cost, is the
/// cluster's default strategy. They have a public address, because that costs less than a NAT
/// gateway, and a security group that lets nobody in.
public final class EcsRunnerFleet implements RunnerFleet {
  static final String STARTED_BY = "runyard";

  /// Most tasks one RunTask call starts.
  private static final int TASKS_MAX = 10;

  private final EcsClient ecs;
  private final Placement placement;

  public EcsRunnerFleet(EcsClient ecs, Placement placement) {
    this.ecs = ecs;
    this.placement = placement;
  }

  /// Where runners run and what they are.
  public record Placement(
      String cluster, String taskDefinition, List<String> subnets, List<String> securityGroups) {
    public Placement {
      subnets = List.copyOf(subnets);
      securityGroups = List.copyOf(securityGroups);
    }

    public static Placement of(Settings settings) {
      return new Placement(
          settings.cluster(),
          settings.taskDefinition(),
          settings.subnets(),
          settings.securityGroups());
    }

    /// The task definition's name, without account and revision.
    String family() {
      String name = taskDefinition.substring(taskDefinition.lastIndexOf('/') + 1);
      int revision = name.indexOf(':');
      return revision < 0 ? name : name.substring(0, revision);
    }
  }

  @Override
  public int active() {
    int tasks = 0;
    String token = null;
    do {
      ListTasksRequest request = list(token);
      ListTasksResponse page = ServiceCall.answer("list runners", () -> ecs.listTasks(request));
      tasks += page.taskArns().size();
      token = page.nextToken();
    } while (token != null);
    return tasks;
  }

  @Override
  public void start(int count, String token) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one runner is started");
    }
    for (int started = 0; started < count; started += TASKS_MAX) {
      startSome(Math.min(TASKS_MAX, count - started), token + "#" + started);
    }
  }

  private void startSome(int count, String token) {
    RunTaskRequest request = run(count, token);
    ServiceCall.answer(
        "start runners",
        () -> {
          try {
            requireAll(count, ecs.runTask(request));
          } catch (ConflictException _) {
            return false;
          }
          return true;
        });
  }

  private static void requireAll(int count, RunTaskResponse response) {
    if (!response.failures().isEmpty()) {
      List<String> reasons = response.failures().stream().map(Failure::reason).distinct().toList();
      throw new PortUnavailable(
          "%d of %d runners did not start: %s"
              .formatted(response.failures().size(), count, reasons));
    }
  }

  private ListTasksRequest list(@Nullable String token) {
    return ListTasksRequest.builder()
        .cluster(placement.cluster())
        .family(placement.family())
        .desiredStatus(DesiredStatus.RUNNING)
        .nextToken(token)
        .build();
  }

  /// The token names the request for ECS, which takes 64 ASCII characters; a request with the same
  /// token and another count is a conflict there, and the first one stands.
  private RunTaskRequest run(int count, String token) {
    return RunTaskRequest.builder()
        .cluster(placement.cluster())
        .taskDefinition(placement.taskDefinition())
        .count(count)
        .clientToken(Digest.hex(token))
        .startedBy(STARTED_BY)
        .networkConfiguration(
            network ->
                network.awsvpcConfiguration(
                    vpc ->
                        vpc.subnets(placement.subnets())
                            .securityGroups(placement.securityGroups())
                            .assignPublicIp(AssignPublicIp.ENABLED)))
        .build();
  }
}
