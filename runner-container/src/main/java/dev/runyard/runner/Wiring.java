package dev.runyard.runner;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.DynamoEventLog;
import dev.runyard.aws.Settings;
import dev.runyard.aws.SqsRunQueue;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunDecider;
import dev.runyard.runner.attempt.AgentSetup;
import dev.runyard.runner.attempt.Attempts;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.process.ProcessLauncher;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/// Builds a worker from the environment: the only place of the runner that reads it.
final class Wiring {
  private static final Duration TAIL_MIN = Duration.ofMillis(250);

  private Wiring() {}

  static Worker worker(Map<String, String> env) {
    Settings settings = new Settings(env);
    InstantSource clock = InstantSource.system();
    RunnerLog log = new RunnerLog(System.out, clock);
    Ids ids = new RandomIds(new SecureRandom());
    String runner = "runner-" + ids.token();
    AwsClients clients = new AwsClients(settings);
    RunQueue queue = new SqsRunQueue(clients.sqs(), settings.runQueueUrl());
    RunLog runs =
        new RunLog(
            new DynamoEventLog(
                clients.dynamo(), settings.eventsTable(), settings.retention(), clock),
            Snapshots.none(),
            RunDecider.rules(),
            clock,
            ids,
            runner);
    AgentGateway gateway = AgentGateway.onClassPath();
    AgentSetup setup =
        new AgentSetup(
            AgentSettings.parse(settings.agents(), gateway.catalog()),
            settings.workDir(),
            env,
            settings.keepWorkspaces(),
            ProcessLauncher.onThisMachine(),
            clock,
            log);
    Attempts attempts =
        new Attempts(runs, queue, gateway, setup, timing(settings), clock, ids, runner);
    return new Worker(queue, attempts, settings.runsPerRunner(), settings.idle(), clock, log);
  }

  private static AttemptTiming timing(Settings settings) {
    Duration tail = settings.tail();
    return new AttemptTiming(
        settings.flush(),
        tail.compareTo(TAIL_MIN) < 0 ? tail : TAIL_MIN,
        tail,
        Duration.ofSeconds(Limits.LEASE_SECONDS));
  }
}
