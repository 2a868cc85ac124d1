package dev.runyard.functions;

import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.DynamoEventLog;
import dev.runyard.aws.DynamoIdempotencyStore;
import dev.runyard.aws.DynamoReadModels;
import dev.runyard.aws.DynamoSessionTurns;
import dev.runyard.aws.EcsRunnerFleet;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.aws.SqsRunQueue;
import dev.runyard.core.acp.CreateRequestReader;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.decide.ResolveAction;
import dev.runyard.core.drive.DriveRun;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.project.ProjectRun;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.send.SendMessage;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.ReadModels;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/// Puts a function together: from the environment to use cases. The only place that makes clients,
/// which live as long as the function does; only what a function asks for needs its variables.
public final class Wiring {
  /// The tenant every run belongs to.
  public static final String TENANT = "default";

  private final InstantSource clock = InstantSource.system();
  private final Ids ids = new RandomIds(new SecureRandom());
  private final String function;
  private final Settings settings;
  private final AwsClients clients;
  private final DynamoDbClient dynamo;
  private final EventLog events;
  private @Nullable AgentCatalog catalog;

  /// @param function names the writer of what this function appends
  public Wiring(String function, Map<String, String> env) {
    this.function = function;
    settings = new Settings(env);
    clients = new AwsClients(settings);
    dynamo = clients.dynamo();
    events = new DynamoEventLog(dynamo, settings.eventsTable(), settings.retention(), clock);
  }

  public InstantSource clock() {
    return clock;
  }

  public Ids ids() {
    return ids;
  }

  /// The agents that come with Runyard and the Java agents that were added, with what the
  /// operator's document allows; a document that is wrong is an error.
  public AgentCatalog catalog() {
    AgentCatalog known = catalog;
    if (known == null) {
      List<AgentManifest> manifests = new ArrayList<>(AgentCatalog.builtIn().all());
      InstalledAgents.find(settings.agentJars()).stream()
          .map(InstalledAgents::manifest)
          .forEach(manifests::add);
      AgentCatalog installed = new AgentCatalog(manifests);
      known = installed.granted(AgentSettings.parse(settings.agents(), installed));
      catalog = known;
    }
    return known;
  }

  public EventLog events() {
    return events;
  }

  public Duration tail() {
    return settings.tail();
  }

  public ReadModels readModels() {
    return new DynamoReadModels(dynamo, settings.viewsTable(), settings.retention(), clock);
  }

  /// Runs, read from their snapshots on.
  public RunLog runs() {
    ReadModels models = readModels();
    return runs(run -> models.snapshot(run).map(RunState.class::cast).orElseGet(RunState::absent));
  }

  /// Reads requests, having made sure that the operator's agents document is sound.
  public RunRequestReader requestReader() {
    return new RunRequestReader(catalog());
  }

  public CreateRequestReader createRequestReader() {
    return new CreateRequestReader(requestReader(), catalog());
  }

  /// Makes the artifact store when it is first asked for: most requests need none.
  public Supplier<ArtifactStore> artifacts() {
    String bucket = settings.artifactsBucket();
    AtomicReference<@Nullable ArtifactStore> made = new AtomicReference<>();
    return () -> {
      ArtifactStore known = made.get();
      if (known != null) {
        return known;
      }
      ArtifactStore first = new S3ArtifactStore(clients.s3(), bucket);
      ArtifactStore other = made.compareAndExchange(null, first);
      return other == null ? first : other;
    };
  }

  public SessionHistory sessionHistory() {
    return new SessionHistory(readModels(), events);
  }

  public SubmitRun submitRun() {
    return new SubmitRun(
        runs(),
        events,
        turnOrder(clients.sqs()),
        new DynamoIdempotencyStore(dynamo, settings.viewsTable()),
        clock,
        ids);
  }

  public CancelRun cancelRun() {
    return new CancelRun(runs());
  }

  public SendMessage sendMessage() {
    return new SendMessage(runs(), catalog(), ids);
  }

  public ResolveAction resolveAction() {
    return new ResolveAction(runs(), clock);
  }

  public ProjectRun projectRun() {
    return new ProjectRun(runs(), readModels());
  }

  public RunQueue parked() {
    return new SqsRunQueue(clients.sqs(), settings.parkedQueueUrl());
  }

  public DriveRun driveRun() {
    return driveRun(clients.sqs());
  }

  public ScaleRunners scaleRunners() {
    return scaleRunners(clients.sqs());
  }

  public ClockSweep clockSweep() {
    SqsClient sqs = clients.sqs();
    return new ClockSweep(
        readModels(),
        driveRun(sqs),
        projectRun(),
        new SqsRunQueue(sqs, settings.deadQueueUrl()),
        new SqsRunQueue(sqs, settings.parkedQueueUrl()),
        scaleRunners(sqs),
        clock);
  }

  /// The driver decides from the log alone: the events it is called for are mostly newer than any
  /// snapshot.
  private DriveRun driveRun(SqsClient sqs) {
    return new DriveRun(runs(Snapshots.none()), turnOrder(sqs), clock);
  }

  private TurnOrder turnOrder(SqsClient sqs) {
    return new TurnOrder(
        new DynamoSessionTurns(dynamo, settings.viewsTable(), settings.retention(), clock),
        runs(),
        runQueue(sqs));
  }

  private ScaleRunners scaleRunners(SqsClient sqs) {
    return new ScaleRunners(
        runQueue(sqs),
        new EcsRunnerFleet(clients.ecs(), EcsRunnerFleet.Placement.of(settings)),
        settings.runnersMax(),
        settings.runsPerRunner());
  }

  private RunQueue runQueue(SqsClient sqs) {
    return new SqsRunQueue(sqs, settings.runQueueUrl());
  }

  private RunLog runs(Snapshots snapshots) {
    return new RunLog(events, snapshots, RunDecider.rules(), clock, ids, function);
  }
}
