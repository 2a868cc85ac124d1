package dev.runyard.core.artifact;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.Quotas;
import java.io.IOException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// How much the runs of a tenant have stored of the files that they leave, by day, in one small
/// object of the artifact store. Stored files go by the store's retention, so what was stored in
/// the last [#TENANT_KEPT_DAYS] days bounds what there is.
///
/// It counts what was stored, and takes back what was removed because its attempt had lost the run;
/// who does that has one for itself. A run whose runner is killed in between is not counted, with
/// what one run may leave at most, nor is one that finds [#TRIES_MAX] times that others of its
/// tenant count at the same moment. Neither is anything that an agent can bring about.
public final class KeptLedger {
  /// Most bytes that a tenant's runs store in [#TENANT_KEPT_DAYS] days unless its quota says
  /// otherwise. The run that reaches it is the last one whose files are kept. Before compression.
  public static final long TENANT_KEPT_BYTES_MAX = 256L * 1024 * 1024 * 1024;

  /// How long it counts what was stored: the longest default of the store's retention.
  public static final int TENANT_KEPT_DAYS = 30;

  static final int TRIES_MAX = 10;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<TreeMap<String, Long>> DAYS = new TypeReference<>() {};

  private final ArtifactStore store;
  private final Quotas quotas;
  private final InstantSource clock;
  private final Map<String, Long> counted = new ConcurrentHashMap<>();

  public KeptLedger(ArtifactStore store, Quotas quotas, InstantSource clock) {
    this.store = store;
    this.quotas = quotas;
    this.clock = clock;
  }

  /// Whether the tenant's runs may store more.
  public boolean hasRoom(String tenant) {
    return bytes(tenant) < most(tenant);
  }

  /// What the tenant's runs have stored.
  public long bytes(String tenant) {
    return total(days(store.find(key(tenant))));
  }

  /// What they may store: the tenant's own limit, or the common one.
  public long most(String tenant) {
    return quotas.of(tenant).limit(QuotaLimit.KEPT_BYTES).orElse(TENANT_KEPT_BYTES_MAX);
  }

  /// Counts what a run has stored.
  public void add(String tenant, long bytes) {
    if (bytes != 0 && write(tenant, days -> days.merge(today().toString(), bytes, Long::sum))) {
      counted.merge(tenant, bytes, Long::sum);
    }
  }

  /// Takes back what was counted here and is stored no longer. What could not be counted is of
  /// another's count.
  public void giveBack(String tenant, long bytes) {
    long known = Math.min(bytes, counted.getOrDefault(tenant, 0L));
    if (known != 0 && write(tenant, days -> takeFrom(days, known))) {
      counted.merge(tenant, -known, Long::sum);
    }
  }

  /// From the newest days first, and from none more than it has.
  private static void takeFrom(NavigableMap<String, Long> days, long bytes) {
    long rest = bytes;
    for (Map.Entry<String, Long> day : days.descendingMap().entrySet()) {
      long taken = Math.min(rest, day.getValue());
      day.setValue(day.getValue() - taken);
      rest -= taken;
    }
    days.values().removeIf(left -> left == 0);
  }

  /// False if others wrote each time.
  private boolean write(String tenant, Consumer<NavigableMap<String, Long>> change) {
    boolean written = false;
    for (int tries = 0; !written && tries < TRIES_MAX; tries++) {
      Optional<ArtifactStore.Versioned> there = store.find(key(tenant));
      NavigableMap<String, Long> days = days(there);
      change.accept(days);
      written =
          store.replace(key(tenant), there.map(ArtifactStore.Versioned::version), written(days));
    }
    return written;
  }

  private static long total(NavigableMap<String, Long> days) {
    return days.values().stream().mapToLong(Long::longValue).sum();
  }

  /// The days that still count.
  private NavigableMap<String, Long> days(Optional<ArtifactStore.Versioned> there) {
    NavigableMap<String, Long> all =
        there.map(found -> read(found.content())).orElse(new TreeMap<>());
    return new TreeMap<>(all.tailMap(today().minusDays(TENANT_KEPT_DAYS).toString(), true));
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static NavigableMap<String, Long> read(byte[] content) {
    try {
      return JSON.readValue(content, DAYS);
    } catch (IOException e) {
      throw new PortUnavailable("what a tenant has stored is unreadable", e);
    }
  }

  private static byte[] written(NavigableMap<String, Long> days) {
    try {
      return JSON.writeValueAsBytes(days);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(String tenant) {
    return tenant + "/workspaces/kept.json";
  }
}
