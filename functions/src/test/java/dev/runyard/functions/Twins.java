package dev.runyard.functions;

import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.Scope;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.hook.HookMapping;
import dev.runyard.core.hook.HookSecrets;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.hook.Hooks;
import dev.runyard.core.hook.ReceiveHook;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryHookDeliveries;
import dev.runyard.core.memory.MemoryHookStore;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemoryStreamTokens;
import dev.runyard.core.memory.MemoryUploadPlaces;
import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.quota.QuotaStatus;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.submit.LeftFilesCheck;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.upload.Uploads;
import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.WakeRunner;
import dev.runyard.core.webhook.DeliverWebhook;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookSender;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The use cases over the in-memory twins, with a log whose outage can be switched on.
public final class Twins {
  /// Who submits what the twins submit themselves.
  public static final SubmitRun.By BY = new SubmitRun.By(Identity.TENANT_DEFAULT, "client");

  public final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  public final Ids ids = new RandomIds(new Random(7));
  public final MemoryEventLog events = new MemoryEventLog();
  public final Outage log = new Outage(events);
  public final MemoryArtifactStore artifacts = new MemoryArtifactStore();
  public final MemoryLargeObjects large = new MemoryLargeObjects(artifacts, clock);
  public final MemoryUploadPlaces places = new MemoryUploadPlaces(artifacts, clock);
  private final Quotas quotas;
  public final Uploads uploads;
  public final MemoryPorts ports = new MemoryPorts(log, clock);
  public final MemoryReadModels models = ports.models();
  public final MemoryStreamTokens streamTokens = ports.streamTokens();
  public final MemoryRunQueue queue = ports.queue();
  public final MemoryRunQueue streamFailures = ports.streamFailures();
  public final MemoryRunQueue deadLetters = ports.deadLetters();
  public final MemoryRunnerFleet fleet = ports.fleet();
  public final AgentCatalog catalog = AgentCatalog.builtIn();
  public final UseCases useCases;
  private final AtomicInteger secrets = new AtomicInteger();

  /// What hooks are signed with, by the names that they use; changed as an operator would.
  public final Map<String, Fetched> hookSecrets = new ConcurrentHashMap<>();

  private final LogLines lines = new LogLines();

  public Twins() {
    this(Quotas.NONE);
  }

  /// A system whose tenants have limits.
  public Twins(Quotas quotas) {
    this.quotas = quotas;
    this.uploads = new Uploads(() -> reached(places), quotas, clock);
    this.useCases = new UseCases(ports, StackTerms.of(quotas), clock, ids, "test");
  }

  /// What a function with these settings works on, which asks for no secrets.
  ///
  /// @param jobSteps where steps of jobs are taken aside
  public Wiring wiring(String function, Map<String, String> settings, Optional<Executor> jobSteps) {
    return new Wiring(
        function,
        settings,
        new FunctionPorts(
            ports,
            useCases,
            new FunctionPorts.Objects(() -> artifacts, () -> large, () -> places),
            (_, _, _) -> {},
            _ -> {
              throw new IllegalStateException("no secret is asked for");
            },
            jobSteps));
  }

  /// Another store than the log, which fails while the log does.
  public <T> T reached(T store) {
    log.check();
    return store;
  }

  /// A port whose every call fails while the log does.
  public <T> T reaching(Class<T> port, T store) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, given) -> {
              log.check();
              try {
                return method.invoke(store, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /// Everybody is one client, who may do everything.
  public Authentication caller() {
    return Authentication.everybody(
        new Identity.Principal("client", Identity.TENANT_DEFAULT, EnumSet.allOf(Scope.class)));
  }

  public ManageKeys manageKeys() {
    return new ManageKeys(
        new ReachedKeys(this, ports.accessKeys()), new SecureRandom(), clock, ids);
  }

  public QuotaStatus quotaStatus() {
    return new QuotaStatus(quotas, ports.uses(), clock);
  }

  public KeptLedger kept() {
    return new KeptLedger(artifacts, quotas, clock);
  }

  public RunLog runs() {
    return useCases.runs();
  }

  public RunRequestReader reader() {
    return new RunRequestReader(catalog);
  }

  public SubmitRun submit() {
    return useCases.submitRun(
        useCases.runningTurn(catalog),
        SubmitRun.Check.all(uploads::refusal, new LeftFilesCheck(() -> artifacts)));
  }

  public MemoryHookStore hookStore() {
    return ports.hooks();
  }

  public MemoryHookDeliveries hookDeliveries() {
    return ports.hookDeliveries();
  }

  public HookMapping hookMapping() {
    return new HookMapping(reader());
  }

  public Hooks hooks() {
    return new Hooks(reachedHooks(), listedSecrets(), hookMapping(), ids, clock);
  }

  public ReceiveHook receiveHook() {
    return new ReceiveHook(
        reachedHooks(), hookDeliveries(), listedSecrets(), hookMapping(), submit(), clock);
  }

  private HookStore reachedHooks() {
    return reaching(HookStore.class, hookStore());
  }

  private HookSecrets listedSecrets() {
    return new HookSecrets(
        AgentSettings.hookSecrets(
            "{\"agents\":{},\"hook_secrets\":{\"GITHUB\":\"env:GITHUB\",\"SLACK\":\"env:SLACK\","
                + "\"STANDARD\":\"env:STANDARD\",\"GONE\":\"env:GONE\"}}"),
        source ->
            hookSecrets.getOrDefault(
                ((SecretSource.Variable) source).name(),
                new Fetched.Unavailable(SecretTrouble.UNREACHABLE)),
        clock);
  }

  public CancelRun cancel() {
    return useCases.cancelRun();
  }

  public WakeRunner wakeRunner() {
    return useCases.wakeRunner();
  }

  public ProcessWakeups wakeups() {
    return ports.wakeups();
  }

  public AdvanceRun advance() {
    return useCases.advanceRun();
  }

  public ProjectRun project() {
    return useCases.projectRun();
  }

  public ManageWebhooks webhooks() {
    return new ManageWebhooks(
        reaching(WebhookPorts.class, webhookPorts()),
        clock,
        ids,
        () -> {
          byte[] bytes = new byte[WebhookSecret.SECRET_BYTES];
          bytes[0] = (byte) secrets.incrementAndGet();
          return WebhookSecret.of(bytes);
        });
  }

  public DeliverWebhook deliver(WebhookSender sender) {
    return useCases.deliverWebhook(sender);
  }

  public MemoryWebhookPorts webhookPorts() {
    return ports.webhooks();
  }

  public ReadRun read() {
    return useCases.readRun();
  }

  public ScaleRunners scale() {
    return useCases.scaleRunners(
        new FleetSize(0, 10, 4),
        failed -> jsonLog().error("start", line -> line.put("detail", failed.detail())));
  }

  public JsonLog jsonLog() {
    return new JsonLog("test", new PrintStream(lines, true, StandardCharsets.UTF_8));
  }

  /// Everything logged so far.
  public String logged() {
    return lines.toString(StandardCharsets.UTF_8);
  }

  /// Waits until `text` is logged.
  public void awaitLogged(String text) throws InterruptedException {
    lines.await(text);
  }

  /// A run that was submitted.
  public RunKey submitted() {
    return submitted("s-1");
  }

  public RunKey submitted(String session) {
    RunRequest request =
        new RunRequest(
            "echo",
            "hi",
            session,
            Map.of(),
            List.of(),
            null,
            60,
            Map.of("TOKEN", "s3cret"),
            Map.of(),
            RetryPolicy.NEVER);
    return switch (submit().submit(BY, request, Optional.empty())) {
      case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
      case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected.problem());
    };
  }

  /// A running run: sequence 5 is its newest event.
  public RunKey running() {
    RunKey run = submitted();
    runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", clock.instant()));
    report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    return run;
  }

  /// Appends events of a running run's attempt, as one chunk.
  public void report(RunKey run, RunEvent... done) {
    switch (runs().execute(run, new RunCommand.Report("a-1", List.of(done)))) {
      case RunLog.Outcome.Done _ -> {}
      case RunLog.Outcome other -> throw new AssertionError(other);
    }
  }

  /// The attempt of a running run succeeds and the run is completed.
  public void complete(RunKey run) {
    report(
        run,
        new RunEvent.ProcessCompleted("p-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "a-1"));
    advance().advance(run);
  }

  /// An event log that can be made to fail.
  public static final class Outage implements EventLog {
    private final EventLog log;
    private final AtomicLong read = new AtomicLong();
    private volatile @Nullable RuntimeException failure;

    Outage(EventLog log) {
      this.log = log;
    }

    public void begin(RuntimeException with) {
      failure = with;
    }

    public void end() {
      failure = null;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      check();
      return log.append(chunk);
    }

    /// Events that were read so far.
    public long read() {
      return read.get();
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      check();
      List<Chunk> chunks = log.chunksAfter(key, sequence);
      chunks.forEach(chunk -> read.addAndGet(chunk.count()));
      return chunks;
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      check();
      Optional<Chunk> chunk = log.chunkAt(key, sequence);
      chunk.ifPresent(found -> read.addAndGet(found.count()));
      return chunk;
    }

    private void check() {
      RuntimeException now = failure;
      if (now != null) {
        throw now;
      }
    }
  }
}
