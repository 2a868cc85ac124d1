package dev.runyard.aws;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunForm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.AssignPublicIp;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.DescribeTasksResponse;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/// Runners as ECS tasks, each with its slot and claim as variables. Their capacity, and so their
/// cost, is the cluster's default strategy. Unless their subnets have another way out, they have a
/// public address, because that costs less than a NAT gateway, and a security group without inbound
/// rules. A runner is told what form of runs the functions write, so that an older one refuses.
public final class EcsRunnerFleet implements RunnerFleet {
  /// The runner's container, to which a start adds variables.
  public static final String CONTAINER = "runner";

  static final String STARTED_BY = "runyard";

  /// Most tasks one DescribeTasks call takes.
  private static final int LOOK_MAX = 100;

  private final EcsClient ecs;
  private final Placement placement;

  public EcsRunnerFleet(EcsClient ecs, Placement placement) {
    this.ecs = ecs;
    this.placement = placement;
  }

  /// Where runners run, and from which task definition.
  public record Placement(
      String cluster,
      String taskDefinition,
      List<String> subnets,
      List<String> securityGroups,
      boolean publicAddress) {
    public Placement {
      subnets = List.copyOf(subnets);
      securityGroups = List.copyOf(securityGroups);
    }

    public static Placement of(Settings settings) {
      return new Placement(
          settings.cluster(),
          settings.taskDefinition(),
          settings.subnets(),
          settings.securityGroups(),
          settings.assignPublicIp());
    }
  }

  @Override
  public Start start(int slot, String claim) {
    RunTaskResponse response;
    try {
      response = ecs.runTask(run(slot, claim));
    } catch (ConflictException e) {
      return known(e);
    } catch (AwsServiceException e) {
      return refused(e);
    } catch (SdkException e) {
      throw new PortUnavailable("start a runner got no answer", e);
    }
    if (!response.tasks().isEmpty()) {
      return new Start.Started(response.tasks().getFirst().taskArn());
    }
    String reasons =
        String.join(
            "; ", response.failures().stream().map(f -> f.reason() + " " + f.detail()).toList());
    return new Start.Refused(
        new StartFailure(StartReasons.of(reasons, Cause.REFUSED), reasons), true);
  }

  /// The claim's runner was started before a deployment changed how runners are started.
  private static Start known(ConflictException e) {
    return e.resourceIds().isEmpty() ? refused(e) : new Start.Started(e.resourceIds().getFirst());
  }

  /// If the service refuses, this request has started nothing; after an error of the service, it
  /// may have. Neither says whether an earlier one of the same claim has: rights, rates and
  /// parameters come before tokens, and what comes before quotas is not documented. Only a request
  /// that was carried out, and found no place, was compared with those before.
  private static Start refused(AwsServiceException e) {
    String code = ServiceCall.code(e);
    if (e.statusCode() >= 500) {
      throw new PortUnavailable("start a runner failed: " + code, e);
    }
    String detail = code + ": " + e.getMessage();
    return new Start.Refused(
        new StartFailure(StartReasons.of(detail, Cause.REFUSED), detail), false);
  }

  @Override
  public Map<String, Fate> look(List<String> tasks) {
    Map<String, Fate> fates = new HashMap<>();
    for (int from = 0; from < tasks.size(); from += LOOK_MAX) {
      List<String> some = tasks.subList(from, Math.min(tasks.size(), from + LOOK_MAX));
      DescribeTasksResponse page =
          ServiceCall.answer(
              "look at runners",
              () -> ecs.describeTasks(ask -> ask.cluster(placement.cluster()).tasks(some)));
      some.forEach(task -> fates.put(task, new Fate.Missing()));
      page.tasks().forEach(task -> fates.put(task.taskArn(), fate(task)));
    }
    return fates;
  }

  private static Fate fate(Task task) {
    if (!"STOPPED".equals(task.lastStatus())) {
      return new Fate.Alive();
    }
    String why = task.stopCodeAsString() + ": " + task.stoppedReason();
    List<String> containers =
        task.containers().stream()
            .map(
                container ->
                    container.reason() == null
                        ? "exit " + container.exitCode()
                        : container.reason())
            .toList();
    String detail = why + " " + containers;
    return new Fate.Stopped(new StartFailure(StartReasons.of(detail, Cause.STOPPED), detail));
  }

  private static ContainerOverride container(int slot, String claim) {
    return ContainerOverride.builder()
        .name(CONTAINER)
        .environment(
            List.of(
                variable(Settings.SLOT, Integer.toString(slot)),
                variable(Settings.SLOT_CLAIM, claim),
                variable(Settings.FORM, Integer.toString(RunForm.CURRENT))))
        .build();
  }

  private static KeyValuePair variable(String name, String value) {
    return KeyValuePair.builder().name(name).value(value).build();
  }

  /// The claim is the request's client token, so that repeating it starts only one task.
  private RunTaskRequest run(int slot, String claim) {
    return RunTaskRequest.builder()
        .cluster(placement.cluster())
        .taskDefinition(placement.taskDefinition())
        .count(1)
        .clientToken(claim)
        .startedBy(STARTED_BY)
        .overrides(task -> task.containerOverrides(List.of(container(slot, claim))))
        .networkConfiguration(
            network ->
                network.awsvpcConfiguration(
                    vpc ->
                        vpc.subnets(placement.subnets())
                            .securityGroups(placement.securityGroups())
                            .assignPublicIp(
                                placement.publicAddress()
                                    ? AssignPublicIp.ENABLED
                                    : AssignPublicIp.DISABLED)))
        .build();
  }
}
