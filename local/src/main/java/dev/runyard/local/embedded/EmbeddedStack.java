package dev.runyard.local.embedded;

import dev.runyard.aws.SecretPlaces;
import dev.runyard.aws.Settings;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.secret.NamedSecrets;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.SqliteLargeObjects;
import dev.runyard.embedded.SqliteUploadPlaces;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.functions.FunctionPorts;
import dev.runyard.functions.Wiring;
import dev.runyard.local.DataFolder;
import dev.runyard.local.FrontDoor;
import dev.runyard.local.FunctionSet;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.LocalParameters;
import dev.runyard.local.PrivateFolder;
import dev.runyard.local.SecretsFile;
import dev.runyard.local.Shutdown;
import dev.runyard.local.TaskVariables;
import dev.runyard.local.emulator.TaskTemplate;
import dev.runyard.local.function.FunctionLoader;
import dev.runyard.local.function.FunctionMaker;
import dev.runyard.local.http.FrontServer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.QueueDeclaration;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.local.template.Template;
import dev.runyard.local.template.TemplateException;
import dev.runyard.local.threads.StackThreads;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessLauncher;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The whole product in one process, on a store made for one machine: the functions of the template
/// behind its routes, called for the changes of the store and by its schedules, and the runners.
/// Agents are processes of their own.
///
/// Closing ends API, event sources, runners and store in this order, so that a runner that is told
/// to stop can still store how its runs ended. When the process is killed instead, its watchdog
/// ends the agents.
public final class EmbeddedStack implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EmbeddedStack.class.getName());
  private static final long EXPIRE_SECONDS = 60;

  /// Pause between two looks at those who read.
  private static final long READERS_SECONDS = 10;

  /// Each call removes a bounded number of rows, so that other writes get their turn.
  private static final int EXPIRE_CALLS_MAX = 1_000;

  /// Parameters that differ from AWS because a write costs little, whoever waits for one is told of
  /// it, and a person's machine isolates what it can.
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "FlushMillis", "4",
          "GatherMillis", "0",
          "TailMillis", "1000",
          "RunnersMin", "1",
          "Isolation", "auto");

  private final Shutdown shutdown;
  private final FrontServer front;
  private final Isolation isolation;

  private EmbeddedStack(Shutdown shutdown, FrontServer front, Isolation isolation) {
    this.isolation = isolation;
    this.shutdown = shutdown;
    this.front = front;
  }

  /// Starts a stack; returns when it answers requests. Without a data folder its store is in the
  /// work folder.
  ///
  /// @param sync whether what was acknowledged is on the disk; see [StoreSettings]
  /// @throws dev.runyard.embedded.StoreRefused when the store cannot be used
  public static EmbeddedStack start(LocalOptions options, boolean sync) {
    if (options.endpoint().isPresent()) {
      throw new IllegalArgumentException("this stack has a store of its own");
    }
    long begin = System.nanoTime();
    Shutdown shutdown = new Shutdown();
    try {
      EmbeddedStack stack = boot(options, sync, shutdown);
      LOG.log(Level.DEBUG, "ready after {0} ms", (System.nanoTime() - begin) / 1_000_000);
      return stack;
    } catch (RuntimeException e) {
      shutdown.close();
      throw e;
    }
  }

  private static EmbeddedStack boot(LocalOptions options, boolean sync, Shutdown shutdown) {
    LoopbackServer.requireFree(options.port());
    InstantSource clock = InstantSource.system();
    Ids ids = new RandomIds(new SecureRandom());
    ExecutorService threads = StackThreads.pool("boot");
    shutdown.add(
        () -> {
          threads.shutdownNow();
          threads.close();
        });
    threads.execute(EmbeddedStore::load);
    SecretVault vault = new NamedSecrets(options.secrets().map(SecretsFile::read).orElse(Map.of()));
    String mark = ids.token();
    CompletableFuture<Watchdog> watchdog =
        CompletableFuture.supplyAsync(() -> Watchdog.start(mark), threads);
    shutdown.add(() -> watchdog.join().close());
    Optional<DataFolder> data = options.data().map(folder -> shutdown.add(new DataFolder(folder)));
    Blueprint blueprint =
        new Blueprint(Template.read(options.template(), LocalParameters.of(options, DEFAULTS)));
    Map<String, String> queues =
        blueprint.queues().stream()
            .collect(Collectors.toMap(QueueDeclaration::logicalId, QueueDeclaration::name));
    TaskDeclaration task = runner(blueprint);
    Map<String, String> variables = blueprint.environment(task, queues);

    TaskTemplate template = new TaskTemplate(task, variables, List.of());
    Path workDir = options.workDir().toAbsolutePath();
    Map<String, String> inherited = TaskVariables.inherited(System.getenv(), options);
    CompletableFuture<Isolation> isolating =
        CompletableFuture.supplyAsync(
            () -> isolation(template.environment(workDir, inherited), mark), threads);
    StackTerms terms = terms(blueprint, queues, variables);
    Path folder = data.map(DataFolder::store).orElseGet(() -> DataFolder.store(options.workDir()));
    EmbeddedStore store =
        shutdown.add(
            EmbeddedStore.open(
                new StoreSettings(
                    PrivateFolder.at(folder),
                    new Settings(variables).retention(),
                    sync,
                    terms.places().most()),
                clock,
                ids));
    Isolation isolation = joined(isolating);
    Leftovers leftovers = new Leftovers(store, isolation);
    CompletableFuture<Void> clean = CompletableFuture.runAsync(leftovers::end, threads);
    free(store.slots());
    store.giveBack();

    RunnerPlace place =
        new RunnerPlace(template, workDir, inherited, ProcessLauncher.ofStack(mark), isolation);
    InProcessFleet fleet = shutdown.add(new InProcessFleet(store, place, leftovers, vault));
    ExecutorService jobs = StackThreads.pool("jobs");
    shutdown.add(jobs::shutdownNow);
    FunctionPorts ports =
        new FunctionPorts(
            fleet.ports(),
            new UseCases(fleet.ports(), terms, clock, ids, "stack"),
            new FunctionPorts.Objects(store::artifacts, store::large, store::uploads),
            store.watch(),
            new SecretPlaces(System.getenv(), vault)::read,
            Optional.of(jobs));
    ExecutorService calls = StackThreads.pool("call");
    shutdown.add(calls::shutdownNow);
    FunctionSet functions =
        FunctionSet.load(
            blueprint, queues, new FunctionLoader(maker(ports), calls), shutdown, threads);
    startExpiry(store, shutdown);
    joined(clean);
    joined(watchdog);
    new StoreSources(blueprint, functions, store, clock).start(shutdown);
    return new EmbeddedStack(
        shutdown,
        FrontDoor.open(
            options,
            functions.routes(),
            Map.of(
                SqliteUploadPlaces.PATH,
                UploadDoor.of(store.uploads()),
                SqliteLargeObjects.PATH,
                DownloadDoor.of(store.large(), watched(clock, shutdown))),
            blueprint.bearerAccess(),
            shutdown),
        isolation);
  }

  /// As functions are told them: what the runner is told may keep it from starting, and its runs
  /// say so then.
  private static StackTerms terms(
      Blueprint blueprint, Map<String, String> queues, Map<String, String> runner) {
    Settings settings =
        new Settings(
            blueprint.functions().stream()
                .map(function -> blueprint.environment(function, queues))
                .filter(variables -> variables.containsKey(Settings.RUNS_PER_RUNNER))
                .findFirst()
                .orElse(runner));
    return Wiring.terms(settings, Wiring.quotas(settings));
  }

  private static <T> T joined(CompletableFuture<T> started) {
    try {
      return started.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static Isolation isolation(Map<String, String> runner, String mark) {
    Isolation isolation = dev.runyard.runner.Wiring.isolation(runner, mark);
    LOG.log(Level.INFO, "isolation {0}: {1}", isolation.level().wire(), isolation.reason());
    return isolation;
  }

  private static TaskDeclaration runner(Blueprint blueprint) {
    if (blueprint.tasks().size() != 1) {
      throw new TemplateException("the template has " + blueprint.tasks().size() + " tasks, not 1");
    }
    return blueprint.tasks().getFirst();
  }

  /// A slot that was held is so no longer: the runners of an earlier stack died with it.
  private static void free(Slots slots) {
    for (Slot slot : slots.read().slots()) {
      switch (slot) {
        case Slot.Free _ -> {}
        case Slot.Claimed _, Slot.Held _ -> slots.write(slot.free());
      }
    }
  }

  /// Functions take their wiring in place of an environment. Each writes in the name of its
  /// package, as it does on AWS.
  private static FunctionMaker maker(FunctionPorts ports) {
    return (_, type, variables) -> {
      Map<String, String> all = new HashMap<>(variables);
      all.put(Settings.ONE_MACHINE, "true");
      String[] packages = type.getPackageName().split("\\.", -1);
      return type.getConstructor(Wiring.class)
          .newInstance(new Wiring(packages[packages.length - 1], all, ports));
    };
  }

  /// Readers that are looked at all the time.
  private static StalledReaders watched(InstantSource clock, Shutdown shutdown) {
    StalledReaders readers = new StalledReaders(clock);
    ScheduledExecutorService timer = StackThreads.timer("readers");
    shutdown.add(timer::shutdownNow);
    var _ =
        timer.scheduleWithFixedDelay(
            readers::look, READERS_SECONDS, READERS_SECONDS, TimeUnit.SECONDS);
    return readers;
  }

  private static void startExpiry(EmbeddedStore store, Shutdown shutdown) {
    ScheduledExecutorService timer = StackThreads.timer("expiry");
    shutdown.add(timer::shutdownNow);
    var _ =
        timer.scheduleWithFixedDelay(
            () -> expire(store), EXPIRE_SECONDS, EXPIRE_SECONDS, TimeUnit.SECONDS);
  }

  private static void expire(EmbeddedStore store) {
    try {
      int calls = 1;
      while (store.expire() > 0 && calls < EXPIRE_CALLS_MAX) {
        calls++;
      }
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "what has expired stays for another minute", e);
    }
  }

  public int port() {
    return front.port();
  }

  /// What keeps its runs apart.
  public Isolation isolation() {
    return isolation;
  }

  /// The address of the API.
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  @Override
  public void close() {
    shutdown.close();
  }
}
