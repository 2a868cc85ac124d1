package dev.runyard.embedded;

import dev.runyard.core.access.Keys;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.job.JobPorts;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendNotices;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.HeldRuns;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.core.webhook.WebhookPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// All that is stored, in one folder of this machine, open for this process alone. What a port has
/// acknowledged is on the disk. Thread-safe.
public final class EmbeddedStore implements AutoCloseable {
  private static final int DAY_SECONDS = 24 * 3600;

  /// How long a message that came back too late, or could not be handled, waits for `sweep`.
  private static final int OTHER_HIDDEN_SECONDS = 60;

  private static final int RECEIVES_MAX = 5;

  private static final QueueRule DEAD_LETTERS =
      new QueueRule("dead_letters", OTHER_HIDDEN_SECONDS, 14 * DAY_SECONDS);
  private static final QueueRule STREAM_FAILURES =
      new QueueRule("stream_failures", OTHER_HIDDEN_SECONDS, 14 * DAY_SECONDS);
  private static final QueueRule RUNS =
      new QueueRule(
          "runs",
          Limits.LEASE_SECONDS,
          7 * DAY_SECONDS,
          Optional.of(new QueueRule.DeadLetters(RECEIVES_MAX, DEAD_LETTERS)));

  /// Longer than `deliver` may take for a batch.
  private static final int DELIVERY_HIDDEN_SECONDS = 180;

  private static final QueueRule DELIVERIES =
      new QueueRule(
          "deliveries",
          DELIVERY_HIDDEN_SECONDS,
          4 * DAY_SECONDS,
          Optional.of(
              new QueueRule.DeadLetters(
                  RECEIVES_MAX,
                  new QueueRule("dead_deliveries", OTHER_HIDDEN_SECONDS, 14 * DAY_SECONDS))));

  private final StoreEnvironment environment;
  private final Duration retention;
  private final StoreFolder folder;
  private final StoreDatabase database;
  private final SqliteArtifactStore artifacts;
  private final SqliteUploadPlaces uploads;
  private final SqliteLargeObjects large;
  private final ItemPace items;
  private final Wakeups wakeups = new ProcessWakeups();
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedStore(
      StoreSettings settings,
      StoreEnvironment environment,
      StoreFolder folder,
      StoreDatabase database) {
    this.environment = environment;
    this.retention = settings.retention();
    this.folder = folder;
    this.database = database;
    this.artifacts = new SqliteArtifactStore(database, environment, retention);
    this.uploads = new SqliteUploadPlaces(database, environment, artifacts);
    this.large = new SqliteLargeObjects(database, environment, artifacts);
    this.items = new ItemPace(Runtime.getRuntime().availableProcessors(), settings.itemsMax());
  }

  /// Opens the store of a folder, and makes or upgrades it where needed.
  ///
  /// @throws StoreRefused when another process has it, a newer version wrote it, or it cannot be
  ///   used
  public static EmbeddedStore open(StoreSettings settings, InstantSource clock, Ids ids) {
    return open(settings, new StoreEnvironment(clock, ids));
  }

  /// Loads what opening a store needs, which a process can do while it has other things to do. If
  /// that fails, so does the opening.
  public static void load() {
    try {
      ConnectionSource.load();
    } catch (SQLException e) {
      System.getLogger(EmbeddedStore.class.getName())
          .log(System.Logger.Level.DEBUG, "the driver does not load", e);
    }
  }

  static EmbeddedStore open(StoreSettings settings, StoreEnvironment environment) {
    StoreFolder folder = StoreFolder.hold(settings.folder());
    try {
      StoreDatabase database =
          StoreDatabase.open(
              folder, environment.connections(), environment.format(), settings.sync());
      return new EmbeddedStore(settings, environment, folder, database);
    } catch (RuntimeException | Error e) {
      release(folder);
      throw e;
    }
  }

  public EventLog events() {
    return log();
  }

  private SqliteEventLog log() {
    return new SqliteEventLog(database, retention, environment.clock());
  }

  /// The tenants that have runs here.
  public List<String> tenants() {
    return log().tenants();
  }

  /// Tells those who read a stream when it has grown.
  public StreamWatch watch() {
    return new SqliteStreamWatch(log(), database.streams(), environment.waits());
  }

  /// Tells those who work on a stream of what others append to it.
  public AppendNotices notices() {
    return database.listeners();
  }

  public ReadModels models() {
    return new SqliteReadModels(database, retention, environment.clock());
  }

  public SessionQueue turns() {
    return new SqliteSessionQueue(database, retention, environment.clock());
  }

  public IdempotencyStore keys() {
    return new SqliteIdempotencyStore(database);
  }

  /// The keys that callers show.
  public Keys accessKeys() {
    return new SqliteKeys(database);
  }

  /// The stream tokens that pages show.
  public StreamTokens streamTokens() {
    return new SqliteStreamTokens(database);
  }

  /// What tenants use of their quotas.
  public TenantUses uses() {
    return new SqliteTenantUses(database, retention, environment.clock());
  }

  /// Runs that wait for a place of their tenant.
  public HeldRuns held() {
    return new SqliteHeldRuns(database, retention, environment.clock());
  }

  public HookStore hooks() {
    return new SqliteHookStore(database);
  }

  public HookDeliveries hookDeliveries() {
    return new SqliteHookDeliveries(database);
  }

  /// Snapshots of tasks.
  public TaskModels tasks() {
    return new SqliteTaskModels(database, retention, environment.clock());
  }

  public JobPorts jobs() {
    return new SqliteJobs(
        new SqliteJobModels(database, retention, environment.clock()),
        new SqliteJobItems(database, retention, environment.clock()));
  }

  public Slots slots() {
    return new SqliteSlots(database);
  }

  public Wakeups wakeups() {
    return wakeups;
  }

  public ArtifactStore artifacts() {
    return artifacts;
  }

  /// Large objects, which are also among [#artifacts].
  public SqliteLargeObjects large() {
    return large;
  }

  /// Places for uploads, which go to [#artifacts].
  public SqliteUploadPlaces uploads() {
    return uploads;
  }

  /// Runs that wait for a runner.
  public RunQueue queue() {
    return queue(RUNS);
  }

  /// Shows the messages again that runners and functions had received which are gone, without
  /// waiting for their leases. Only before the process that has the store has a runner.
  public void giveBack() {
    queue(RUNS).giveBack();
    deliveryMessages().giveBack();
  }

  /// Webhooks and their deliveries.
  public WebhookPorts webhooks() {
    return new EmbeddedWebhooks(
        new SqliteWebhooks(database),
        new SqliteDeliveries(database, retention, environment.clock()),
        deliveryMessages(),
        new FileEventBus(folder.file().resolveSibling(FileEventBus.FILE)));
  }

  /// The messages that call the function which delivers.
  public DeliveryMessages deliveryMessages() {
    return new DeliveryMessages(new MessageRows(database, environment, DELIVERIES));
  }

  /// Runs whose message no runner could finish.
  public RunQueue deadLetters() {
    return queue(DEAD_LETTERS);
  }

  /// Runs whose change could not be handled.
  public RunQueue streamFailures() {
    return queue(STREAM_FAILURES);
  }

  SqliteRunQueue queue(QueueRule rule) {
    return new SqliteRunQueue(database, environment, rule, items);
  }

  /// What `project` and `advance` are told of.
  public ChangeFeed changes() {
    return new ChangeFeed(database);
  }

  /// Removes some of what has expired, and says how many rows that were; none when nothing is left.
  /// To be called about every minute.
  public int expire() {
    return new StoreExpiry(database, artifacts::isBeingPut).expire(environment.clock().instant());
  }

  /// Copies the store as it is now to another folder, which can be opened as a store, while this
  /// one is used.
  ///
  /// @throws IllegalArgumentException when that folder has a store already
  /// @throws dev.runyard.core.problem.PortUnavailable when it cannot be written
  public void backup(Path copy) {
    new StoreBackup(database::copier).write(copy);
  }

  /// Copies the store of a folder in the same way, whoever has it open.
  ///
  /// @throws StoreRefused when there is none
  public static void backup(Path folder, Path copy) {
    Path file = StoreFolder.file(folder);
    if (!Files.isRegularFile(file)) {
      throw new StoreRefused("There is no store in %s.".formatted(folder));
    }
    new StoreBackup(() -> StoreConnection.copier(ConnectionSource.SQLITE.open(file))).write(copy);
  }

  StoreDatabase database() {
    return database;
  }

  /// Ends what is under way and gives the folder up. Calls of the ports fail from now on.
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      database.close();
      release(folder);
    }
  }

  private static void release(StoreFolder folder) {
    try {
      folder.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the folder cannot be given up", e);
    }
  }
}
