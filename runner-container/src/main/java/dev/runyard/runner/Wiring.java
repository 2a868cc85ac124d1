package dev.runyard.runner;

import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsPorts;
import dev.runyard.aws.AwsSecretVault;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.S3LargeObjects;
import dev.runyard.aws.Settings;
import dev.runyard.aws.SqsRunQueue;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.agent.DescribedAgent;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.attempt.AttemptPorts;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.message.Message;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.runner.attempt.AgentEnvironment;
import dev.runyard.runner.attempt.AgentSetup;
import dev.runyard.runner.attempt.AttemptStores;
import dev.runyard.runner.attempt.Attempts;
import dev.runyard.runner.attempt.BackendServices;
import dev.runyard.runner.attempt.RunnerFolders;
import dev.runyard.runner.attempt.RunnerIdentity;
import dev.runyard.runner.attempt.RunnerTime;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.command.CommandBackend;
import dev.runyard.runner.backend.javaagent.JavaAgentBackend;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.isolation.AttemptLimits;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationChoice;
import dev.runyard.runner.isolation.IsolationRefused;
import dev.runyard.runner.kept.Compression;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.network.AgentNetworks;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Builds a worker from its variables; no other part of the runner reads them.
public final class Wiring {
  /// Shortest pause between two looks for wake-ups. Each takes capacity from the agents on the same
  /// machine.
  private static final Duration LOOK_MIN = Duration.ofMillis(250);

  private Wiring() {}

  static Worker worker(Map<String, String> env) {
    Settings settings = new Settings(env);
    AwsClients clients = new AwsClients(settings);
    Ports ports = new AwsPorts(settings, clients, InstantSource.system());
    return worker(env, clients, ports, ports.slots());
  }

  /// A worker whose slot is one of `slots`.
  static Worker worker(Map<String, String> env, AwsClients clients, Ports ports, Slots slots) {
    Settings settings = new Settings(env);
    return worker(
        env,
        new RunnerPorts(
            ports,
            AppendNotices.NONE,
            slots,
            new SqsRunQueue(clients.sqs(), clients.sqsReceives(), settings.runQueueUrl()),
            bucket(clients, settings.artifactsBucket()),
            new AwsSecretVault(clients::secrets, clients::parameters)),
        ProcessLauncher.onThisMachine(),
        isolation(env, ""),
        System.out);
  }

  private static Bucket bucket(AwsClients clients, String name) {
    return new Bucket(
        new S3ArtifactStore(clients.s3(), clients.s3Transfers(), name),
        new S3LargeObjects(
            clients.s3(), clients.s3Large(), clients::presigner, name, InstantSource.system()));
  }

  /// While the runner starts, so that it says at once where no files can be kept.
  private static void loadCompression(RunnerLog log) {
    if (!Compression.isLoaded()) {
      log.info("compression_missing", Map.of("folder", System.getProperty("java.io.tmpdir", "")));
    }
  }

  /// The isolation that the settings choose, once for all runners of a process.
  ///
  /// @param env the settings of a runner
  /// @param stack the stack whose process the runners share; empty if none
  /// @throws IsolationRefused where the chosen level does not work, or cannot enforce what the
  ///   agents file says of networks
  public static Isolation isolation(Map<String, String> env, String stack) {
    Settings settings = new Settings(env);
    String path = env.getOrDefault("PATH", "");
    String agents = env.getOrDefault(Settings.AGENTS, "{}");
    try {
      Isolation decided =
          Isolation.decide(
              new Isolation.Setting(
                  IsolationChoice.of(settings.isolation()),
                  stack,
                  settings.workDir(),
                  AttemptLimits.of(settings.attemptLimits(), machineBytes()),
                  path,
                  AgentPrograms.of(path, agents),
                  hidden(settings, agents)));
      networks(agents, decided, new RandomIds(new SecureRandom()));
      return decided;
    } catch (IOException e) {
      throw new IsolationRefused("the folders of attempts cannot be made: " + e.getMessage());
    }
  }

  /// What opens the stack or another account, though it is a file of the runner's user.
  private static List<Path> hidden(Settings settings, String agents) {
    List<Path> hidden = new ArrayList<>(settings.hidden());
    AgentSettings.secretFiles(agents).stream().map(Path::of).forEach(hidden::add);
    return hidden;
  }

  /// What limits what agents reach.
  ///
  /// @throws IsolationRefused where the agents file asks for limits that cannot be enforced
  private static AgentNetworks networks(String agents, Isolation isolation, Ids ids) {
    return AgentSettings.namesNetwork(agents)
        ? AgentNetworks.enforced(isolation, ids::token)
        : AgentNetworks.UNLIMITED;
  }

  /// The memory of the machine, or of the container where that has less.
  private static long machineBytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean machine
        ? machine.getTotalMemorySize()
        : Runtime.getRuntime().maxMemory();
  }

  /// A worker on ports that are made already, which may share its process with others.
  ///
  /// @param env its settings, and the variables its agents may see; those that say where things are
  ///   stored are not read
  /// @param out gets its log
  public static Worker worker(
      Map<String, String> env,
      RunnerPorts ports,
      ProcessLauncher processes,
      Isolation isolation,
      PrintStream out) {
    Settings settings = new Settings(env);
    InstantSource clock = InstantSource.system();
    RunnerLog log = new RunnerLog(out, clock);
    log.info("isolation", Map.of("level", isolation.level().wire(), "reason", isolation.reason()));
    Thread.ofPlatform().daemon().name("compression").start(() -> loadCompression(log));
    Ids ids = new RandomIds(new SecureRandom());
    String runner = "runner-" + ids.token();
    UseCases useCases = new UseCases(ports.ports(), clock, ids, runner);
    List<AgentBackend> installed = installed(settings);
    AgentSettings agents =
        AgentSettings.parse(settings.agents(), new AgentGateway(installed).catalog());
    AgentSetup setup =
        new AgentSetup(
            gateway(installed, agents),
            new AgentEnvironment(agents, env, ports.vault()),
            folders(settings, log),
            AttemptStores.in(ports.bucket(), Quotas.parse(settings.quotas()), useCases::threadBase),
            new BackendServices(
                processes,
                isolation,
                networks(settings.agents(), isolation, ids),
                RunnerTime.by(clock),
                (tenant, session) -> said(useCases, tenant, session),
                new ModelGateway(clock, ids)),
            log);
    Attempts attempts =
        new Attempts(
            new AttemptPorts(useCases.attemptedRuns(), ports.queue(), ports.ports().wakeups()),
            ports.notices(),
            setup,
            timing(settings),
            new RunnerIdentity(runner, ids),
            clock);
    SlotHold slot =
        new SlotHold(ports.slots(), settings.slot(), settings.slotClaim(), runner, clock);
    return new Worker(ports.queue(), attempts, terms(settings), slot, clock, log);
  }

  /// Without what runners left that were killed.
  private static RunnerFolders folders(Settings settings, RunnerLog log) {
    RunnerFolders folders = new RunnerFolders(settings.workDir(), settings.keepWorkspaces());
    try {
      folders.removeLeft();
    } catch (IOException e) {
      log.failed("checkouts_not_removed", e);
    }
    return folders;
  }

  private static WorkerTerms terms(Settings settings) {
    return new WorkerTerms(
        settings.runsPerRunner(), settings.idle(), settings.runnerAgeMax(), settings.runnersMin());
  }

  /// The backends on the class path, and one for each Java agent.
  private static List<AgentBackend> installed(Settings settings) {
    List<AgentBackend> backends = new ArrayList<>(AgentGateway.found());
    InstalledAgents.find(settings.agentJars()).stream()
        .map(JavaAgentBackend::new)
        .forEach(backends::add);
    return backends;
  }

  /// The installed backends, and one for each agent that the operator's document describes.
  private static AgentGateway gateway(List<AgentBackend> installed, AgentSettings agents) {
    List<AgentBackend> backends = new ArrayList<>(installed);
    agents.described().stream().map(Wiring::backend).forEach(backends::add);
    return new AgentGateway(backends);
  }

  private static AgentBackend backend(DescribedAgent agent) {
    return switch (agent) {
      case CommandTemplate command -> new CommandBackend(command);
      case ClientProtocolTemplate spoken -> new ClientProtocolBackend(spoken);
    };
  }

  private static List<Message> said(UseCases useCases, String tenant, TurnIds turn) {
    return useCases.sessionHistory().of(tenant, turn).stream()
        .flatMap(List::stream)
        .map(SessionHistory.Entry::message)
        .toList();
  }

  private static AttemptTiming timing(Settings settings) {
    Duration tail = settings.tail();
    return new AttemptTiming(
        settings.flush(),
        settings.gather(),
        tail.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : tail,
        Duration.ofSeconds(Limits.LEASE_SECONDS),
        settings.awaitGrace());
  }
}
