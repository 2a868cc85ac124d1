package dev.runyard.local;

import dev.runyard.embedded.FileEventBus;
import dev.runyard.local.emulator.EcsEndpoint;
import dev.runyard.local.emulator.EmbeddedBuckets;
import dev.runyard.local.emulator.EmbeddedEventBus;
import dev.runyard.local.emulator.EmbeddedSecrets;
import dev.runyard.local.emulator.TaskLaunch;
import dev.runyard.local.emulator.TaskTemplate;
import dev.runyard.local.emulator.Tasks;
import dev.runyard.local.events.Checkpoints;
import dev.runyard.local.function.FunctionEnvironment;
import dev.runyard.local.function.FunctionLoader;
import dev.runyard.local.http.FrontServer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.rights.CallRecord;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.rights.RoleAccess;
import dev.runyard.local.rights.RoleKeys;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// The whole product on this machine, as template.yaml declares it: its tables and queues in
/// emulators, its functions in this JVM behind one HTTP server, its runners as processes.
///
/// Closing ends API, event sources, runners and emulators in this order, so that a runner that is
/// told to stop can still store how its runs ended.
public final class LocalStack implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LocalStack.class.getName());
  private static final long CHECKPOINT_MILLIS = 1_000;

  private final Shutdown shutdown;
  private final FrontServer front;

  private LocalStack(Shutdown shutdown, FrontServer front) {
    this.shutdown = shutdown;
    this.front = front;
  }

  /// Starts a stack whose tasks are runners; returns when it answers requests.
  public static LocalStack start(LocalOptions options) {
    return start(options, TaskLaunch.runner());
  }

  /// Starts a stack whose tasks are started with `launch`.
  public static LocalStack start(LocalOptions options, TaskLaunch launch) {
    long begin = System.nanoTime();
    Shutdown shutdown = new Shutdown();
    try {
      LocalStack stack = boot(options, launch, shutdown);
      LOG.log(Level.DEBUG, "ready after {0} ms", (System.nanoTime() - begin) / 1_000_000);
      return stack;
    } catch (RuntimeException e) {
      shutdown.close();
      throw e;
    }
  }

  private static LocalStack boot(LocalOptions options, TaskLaunch launch, Shutdown shutdown) {
    LoopbackServer.requireFree(options.port());
    InstantSource clock = InstantSource.system();
    ExecutorService threads = StackThreads.pool("boot");
    shutdown.add(threads::shutdownNow);
    Optional<DataFolder> data = options.data().map(folder -> shutdown.add(new DataFolder(folder)));
    CompletableFuture<Blueprint> reading =
        CompletableFuture.supplyAsync(
            () -> new Blueprint(Template.read(options.template(), LocalParameters.of(options))),
            threads);
    CompletableFuture<Rights> rights = reading.thenApply(Rights::of);
    RoleKeys keys = RoleKeys.drawn(new SecureRandom());
    AccessCheck access = new RoleAccess(rights::join, keys, new CallRecord(options.workDir()));
    Emulators emulators = Emulators.start(options, data, access, reading, shutdown, threads);
    Blueprint blueprint = reading.join();
    joined(rights);

    Tasks tasks =
        shutdown.add(
            new Tasks(
                blueprint.clusters(),
                launch,
                options.workDir(),
                TaskVariables.inherited(System.getenv(), options),
                clock));
    EcsEndpoint ecs = shutdown.add(new EcsEndpoint(tasks, access));
    EmbeddedBuckets buckets =
        shutdown.add(
            new EmbeddedBuckets(
                data.map(DataFolder::objects)
                    .orElseGet(() -> PrivateFolder.at(options.workDir().resolve("objects"))),
                data.isPresent(),
                access));
    EmbeddedSecrets secrets =
        shutdown.add(
            new EmbeddedSecrets(options.secrets().map(SecretsFile::read).orElse(Map.of()), access));
    EmbeddedEventBus events =
        shutdown.add(
            new EmbeddedEventBus(
                new FileEventBus(options.workDir().resolve(FileEventBus.FILE)), access));
    FunctionEnvironment environment =
        new FunctionEnvironment(
            emulators.tables().endpoint(),
            emulators.queuesEndpoint(),
            ecs.uri(),
            buckets.endpoint(),
            secrets.endpoint(),
            events.endpoint(),
            keys);
    tasks.define(
        blueprint.tasks().stream()
            .map(
                task -> {
                  Map<String, String> variables =
                      new HashMap<>(environment.common(blueprint.role(task)));
                  variables.putAll(blueprint.environment(task, emulators.queueUrls()));
                  return new TaskTemplate(task, variables, blueprint.passedRoles(task));
                })
            .toList());

    Checkpoints checkpoints = new Checkpoints(data.map(DataFolder::checkpoints));
    shutdown.add(checkpoints::save);
    ScheduledExecutorService saver = StackThreads.timer("checkpoints");
    shutdown.add(saver::shutdownNow);
    var _ =
        saver.scheduleWithFixedDelay(
            checkpoints::save, CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
    ExecutorService calls = StackThreads.each("call");
    shutdown.add(calls::shutdownNow);
    FunctionLoader loader =
        new FunctionLoader(
            (function, type, variables) ->
                type.getConstructor(Map.class)
                    .newInstance(
                        HookVariables.added(environment.of(function, variables), System.getenv())),
            calls);
    FunctionSet functions =
        FunctionSet.load(blueprint, emulators.queueUrls(), loader, shutdown, threads);
    new EmulatedSources(blueprint, functions, emulators, checkpoints, clock).start(shutdown);
    return new LocalStack(
        shutdown, FrontDoor.open(options, functions.routes(), blueprint.bearerAccess(), shutdown));
  }

  /// The rights, or what is wrong with the template.
  private static Rights joined(CompletableFuture<Rights> rights) {
    try {
      return rights.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  public int port() {
    return front.port();
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
