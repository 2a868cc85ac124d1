package dev.runyard.functions;

import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsPorts;
import dev.runyard.aws.AwsSecretVault;
import dev.runyard.aws.SecretPlaces;
import dev.runyard.aws.Settings;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.BearerAuthentication;
import dev.runyard.core.access.IssueStreamToken;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.PrincipalTenants;
import dev.runyard.core.access.SignedAuthentication;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agentcommunication.CreateRequestReader;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.ThreadCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookMapping;
import dev.runyard.core.hook.HookSecrets;
import dev.runyard.core.hook.Hooks;
import dev.runyard.core.hook.ReceiveHook;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.job.ItemPlaces;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaStatus;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.runtime.RuntimeCommandReader;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.submit.LeftFilesCheck;
import dev.runyard.core.submit.PublishRun;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.upload.Uploads;
import dev.runyard.core.wakeup.WakeRunner;
import dev.runyard.core.webhook.DeliverWebhook;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.core.webhook.WebhookUrl;
import dev.runyard.functions.access.OidcTokens;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Wires a function: from the environment to use cases. The only place that creates clients, which
/// live as long as the function; only what a function uses needs its variables. With ports that are
/// made already, the same functions run on another store.
public final class Wiring {
  private final InstantSource clock = InstantSource.system();
  private final RandomGenerator random = new SecureRandom();
  private final Ids ids = new RandomIds(random);
  private final JsonLog log;
  private final Settings settings;
  private final Ports ports;
  private final Quotas quotas;
  private final Supplier<FunctionPorts.Objects> objects;
  private final StreamWatch watch;
  private final Function<SecretSource, Fetched> secrets;
  private final UseCases useCases;
  private final Optional<Executor> jobSteps;
  private @Nullable AgentCatalog catalog;

  /// A function on AWS, or on what answers in its place.
  ///
  /// @param function names the writer of what this function appends
  public Wiring(String function, Map<String, String> env) {
    settings = new Settings(env);
    AwsClients clients = new AwsClients(settings);
    ports = new AwsPorts(settings, clients, clock);
    objects = Once.of(() -> BucketObjects.of(clients, settings.artifactsBucket(), clock));
    watch = (_, _, longest) -> Thread.sleep(longest);
    secrets =
        new SecretPlaces(env, new AwsSecretVault(clients::secrets, clients::parameters))::read;
    log = new JsonLog(function);
    quotas = quotas(settings);
    useCases = new UseCases(ports, terms(settings, quotas), clock, ids, function);
    jobSteps = Optional.empty();
  }

  /// A function on ports that are made already.
  ///
  /// @param function names the writer of what this function appends
  /// @param env the settings; those that say where things are stored are not read
  public Wiring(String function, Map<String, String> env, FunctionPorts given) {
    this.settings = new Settings(env);
    this.ports = given.ports();
    this.objects = given::objects;
    this.watch = given.watch();
    this.secrets = given.secrets();
    this.log = new JsonLog(function);
    this.quotas = quotas(settings);
    this.useCases = given.useCases().of(function);
    this.jobSteps = given.jobSteps();
  }

  /// What a stack with these settings allows.
  public static StackTerms terms(Settings settings, Quotas quotas) {
    return StackTerms.of(quotas).with(itemPlaces(settings)).keeping(settings.retention());
  }

  /// A function that starts no items is not told how many places there are.
  private static ItemPlaces itemPlaces(Settings settings) {
    OptionalInt places = settings.places();
    return places.isEmpty() ? ItemPlaces.UNLIMITED : ItemPlaces.of(places.getAsInt());
  }

  /// What the operator allows; where several tenants share places, none has all of them.
  ///
  /// @throws IllegalArgumentException when the operator's document is wrong
  public static Quotas quotas(Settings settings) {
    OptionalInt places = settings.sharedPlaces();
    return Quotas.parse(
        settings.quotas(), places.isPresent() ? Quota.share(places.getAsInt()) : Quota.NONE);
  }

  public InstantSource clock() {
    return clock;
  }

  public Ids ids() {
    return ids;
  }

  /// The agents that come with Runyard and the Java agents that were added, with what the
  /// operator's document allows; throws if the document is invalid.
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

  /// Who calls is known from signatures, or from keys and tokens; throws if the settings of that
  /// are invalid.
  public Authentication authentication() {
    return settings.bearerAccess()
        ? new BearerAuthentication(
            keyCheck(),
            OidcTokens.of(
                settings, clock, why -> log.info("token_refused", line -> line.put("why", why))),
            settings.oneMachine())
        : new SignedAuthentication(settings.tenants().map(PrincipalTenants::parse));
  }

  /// Remembers for itself what it looked up.
  public KeyCheck keyCheck() {
    return new KeyCheck(ports.accessKeys(), clock, Threads.later());
  }

  /// The web pages of other origins that may call.
  public Set<String> corsOrigins() {
    return settings.corsOrigins();
  }

  public StreamTokens streamTokens() {
    return ports.streamTokens();
  }

  public IssueStreamToken issueStreamToken() {
    return new IssueStreamToken(ports.streamTokens(), clock, random);
  }

  /// Whether stream tokens reach the functions: a gateway that wants signatures lets none through.
  public boolean takesStreamTokens() {
    return settings.bearerAccess() || settings.oneMachine();
  }

  public ManageKeys manageKeys() {
    return new ManageKeys(ports.accessKeys(), random, clock, ids);
  }

  /// The keys that make requests safe to repeat.
  public IdempotencyStore keys() {
    return ports.keys();
  }

  public EventLog events() {
    return ports.events();
  }

  public Duration tail() {
    return settings.tail();
  }

  public ReadModels readModels() {
    return ports.models();
  }

  public RunLog runs() {
    return useCases.runs();
  }

  /// Reads requests; throws if the operator's agents document is invalid.
  public RunRequestReader requestReader() {
    return new RunRequestReader(catalog(), webhookPlaces());
  }

  public CreateRequestReader createRequestReader() {
    return new CreateRequestReader(requestReader(), catalog());
  }

  /// How a reader waits for more events of a run.
  public StreamWatch watch() {
    return watch;
  }

  /// The artifact store, created when it is first used: most requests need none.
  public Supplier<ArtifactStore> artifacts() {
    return objects.get().artifacts();
  }

  /// Objects that clients get at addresses, made when the first is asked for.
  public Supplier<LargeObjects> large() {
    return objects.get().large();
  }

  /// Uploads, whose places are made when the first is used.
  public Uploads uploads() {
    return new Uploads(objects.get().uploads(), quotas, clock);
  }

  public QuotaStatus quotaStatus() {
    return new QuotaStatus(quotas, ports.uses(), clock);
  }

  /// Counts what runs leave, in the artifact store.
  public Supplier<KeptLedger> kept() {
    return () -> new KeptLedger(artifacts().get(), quotas, clock);
  }

  public SubmitRun submitRun() {
    return useCases.submitRun(useCases.runningTurn(catalog()), submitCheck());
  }

  private SubmitRun.Check submitCheck() {
    return SubmitRun.Check.all(uploads()::refusal, new LeftFilesCheck(() -> artifacts().get()));
  }

  public JobCases jobs() {
    return useCases.jobs();
  }

  /// Use cases that need no settings.
  public UseCases useCases() {
    return useCases;
  }

  /// What tenants do with tasks; throws if the operator's agents document is invalid.
  public ManageTasks manageTasks() {
    return useCases.tasks().manage(requestReader(), submitRun(), submitCheck());
  }

  /// Where steps of jobs are taken aside.
  public Optional<Executor> jobSteps() {
    return jobSteps;
  }

  /// Reads what jobs are created with; throws if the operator's agents document is invalid.
  public JobRequestReader jobRequestReader() {
    return jobs().reader(requestReader(), submitCheck());
  }

  public PublishRun publishRun() {
    return new PublishRun(submitRun(), runs());
  }

  /// What becomes of deliveries of other systems' webhooks.
  public HookDeliveries hookDeliveries() {
    return ports.hookDeliveries();
  }

  public HookMapping hookMapping() {
    return new HookMapping(requestReader());
  }

  public Hooks hooks() {
    return useCases.hooks(hookSecrets(), hookMapping());
  }

  public ReceiveHook receiveHook() {
    return useCases.receiveHook(hookSecrets(), hookMapping(), submitRun());
  }

  /// Throws if the operator's agents document is invalid.
  private HookSecrets hookSecrets() {
    return new HookSecrets(AgentSettings.hookSecrets(settings.agents()), secrets, clock);
  }

  public RuntimeCommandReader commandReader() {
    return new RuntimeCommandReader(requestReader());
  }

  public ThreadCases threads() {
    return useCases.threadCases(() -> artifacts().get());
  }

  public CancelRun cancelRun() {
    return useCases.cancelRun();
  }

  public SendMessage sendMessage() {
    return useCases.sendMessage(catalog());
  }

  public ResolveAction resolveAction() {
    return useCases.resolveAction();
  }

  public WakeRunner wakeRunner() {
    return useCases.wakeRunner();
  }

  /// Where webhooks of this stack may be.
  public WebhookUrl.Places webhookPlaces() {
    return settings.webhooksToLoopback()
        ? WebhookUrl.Places.INTERNET_AND_LOOPBACK
        : WebhookUrl.Places.INTERNET;
  }

  public ManageWebhooks manageWebhooks() {
    return useCases.manageWebhooks(Wiring::secret);
  }

  private static WebhookSecret secret() {
    byte[] bytes = new byte[WebhookSecret.SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return WebhookSecret.of(bytes);
  }

  public DeliverWebhook deliverWebhook(WebhookSender sender) {
    return useCases.deliverWebhook(sender);
  }

  public ProjectRun projectRun() {
    return useCases.projectRun(settings.eventBus().isPresent());
  }

  public RunQueue streamFailures() {
    return ports.streamFailures();
  }

  public ScaleRunners scaleRunners() {
    return useCases.scaleRunners(
        new FleetSize(settings.runnersMin(), settings.runnersMax(), settings.runsPerRunner()),
        new FleetLines(log));
  }

  public SweepRuns sweepRuns() {
    return useCases.sweepRuns(scaleRunners(), Threads.lanes(), settings.eventBus().isPresent());
  }
}
