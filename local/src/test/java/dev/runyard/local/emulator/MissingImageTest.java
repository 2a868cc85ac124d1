package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.EcsRunnerFleet;
import dev.runyard.aws.Settings;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.TaskDeclaration;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stack whose image was never pushed: ECS takes each task and stops it later.
final class MissingImageTest {
  /// When a task is seen to have stopped, at the latest: it gets an address and asks the registry.
  private static final Duration STOPS = Duration.ofSeconds(90);

  private static final Duration ENDS = Duration.ofMinutes(5);

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(7));
  private final List<StartFailure> logged = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void endsTheRunWithTheCauseWithinFiveMinutes() throws Exception {
    try (Tasks tasks = tasks();
        EcsEndpoint endpoint = new EcsEndpoint(tasks, AccessCheck.NONE)) {
      RunnerFleet fleet = new LateFleet(fleet(endpoint), clock);
      MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
      UseCases cases = new UseCases(ports, clock, ids, "test");
      ScaleRunners scale =
          new ScaleRunners(
              ports.queue(), ports.slots(), fleet, new FleetSize(0, 10, 4), ids, logged::add);
      SweepRuns sweep = cases.sweepRuns(scale, Lanes.one());
      RunKey run = submit(cases);
      cases.projectRun().project(run);
      Instant submitted = clock.instant();
      scale.scale(clock, 1);
      while (!cases.runs().load(run).closed()) {
        clock.advance(Duration.ofSeconds(60));
        for (TaskProcess task : tasks.all()) {
          task.awaitStopped(ENDS);
        }
        sweep.sweep(clock.instant().plusSeconds(30));
        assertTrue(
            Duration.between(submitted, clock.instant()).compareTo(ENDS) <= 0,
            "it still waits: " + cases.runs().load(run));
      }

      RunState.Failed failed = assertInstanceOf(RunState.Failed.class, cases.runs().load(run));
      assertEquals(Failure.RUNNER_START_FAILED, failed.error().code());
      assertTrue(failed.error().message().contains("Push an image"), failed.error()::message);
      assertTrue(logged.stream().allMatch(it -> it.cause() == StartFailure.Cause.NO_IMAGE));
      assertTrue(logged.getFirst().detail().contains("registry.invalid/runner:1"));
    }
  }

  private static RunKey submit(UseCases cases) {
    RunRequest request =
        new RunRequest(
            "echo",
            "hello",
            "",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    return switch (cases
        .submitRun()
        .submit(new SubmitRun.By("default", "somebody"), request, Optional.empty())) {
      case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
      case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected.problem());
    };
  }

  private static RunnerFleet fleet(EcsEndpoint endpoint) {
    Settings settings =
        EmulatorSettings.of(
            Map.of(
                Settings.ENDPOINT_URL, endpoint.uri().toString(),
                Settings.CLUSTER, "Cluster",
                Settings.TASK_DEFINITION, "runner",
                Settings.SUBNETS, "subnet-1",
                Settings.SECURITY_GROUPS, "sg-1",
                Settings.ASSIGN_PUBLIC_IP, "ENABLED"));
    return new EcsRunnerFleet(
        new AwsClients(settings).ecs(), EcsRunnerFleet.Placement.of(settings));
  }

  private Tasks tasks() {
    Tasks tasks =
        new Tasks(
            List.of("Cluster"), TaskLaunch.runner(), folder, Map.of(), InstantSource.system());
    tasks.define(
        List.of(
            new TaskTemplate(
                new TaskDeclaration(
                    "RunnerTask",
                    "runner",
                    "runner",
                    "registry.invalid/runner:1",
                    JsonNodeFactory.instance.arrayNode(),
                    Duration.ofSeconds(1),
                    Map.of()),
                Map.of(),
                List.of())));
    return tasks;
  }

  /// A fleet whose tasks are shown to have stopped as late as on Fargate.
  private record LateFleet(RunnerFleet fleet, InstantSource clock, Map<String, Instant> started)
      implements RunnerFleet {
    LateFleet(RunnerFleet fleet, InstantSource clock) {
      this(fleet, clock, new HashMap<>());
    }

    @Override
    public Start start(int slot, String claim) {
      Start start = fleet.start(slot, claim);
      if (start instanceof Start.Started task) {
        started.putIfAbsent(task.task(), clock.instant());
      }
      return start;
    }

    @Override
    public Map<String, Fate> look(List<String> tasks) {
      Map<String, Fate> fates = new HashMap<>(fleet.look(tasks));
      started.forEach(
          (task, at) -> {
            if (clock.instant().isBefore(at.plus(STOPS))) {
              fates.replace(task, new Fate.Alive());
            }
          });
      return fates;
    }
  }
}
