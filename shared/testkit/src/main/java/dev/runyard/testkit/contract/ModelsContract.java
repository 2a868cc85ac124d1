package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.ModelPage;
import dev.runyard.core.projection.Models;
import dev.runyard.core.stream.StreamState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Models] promises, of whichever kind.
abstract class ModelsContract<K extends StreamKey, S extends StreamState> {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private Models<K, S> models;
  private K one;

  /// The store under test; it may hold others' of other tenants.
  abstract Models<K, S> models();

  abstract ModelKind<K, S> kind();

  /// One that waits for somebody, and is not due.
  abstract S created(K key, Instant at);

  /// The same a few events later, when it is looked at after a while.
  abstract S running(K key, Instant at);

  @BeforeEach
  void open() {
    models = models();
    one = key(SampleRuns.tenant(), "one");
  }

  private K key(String tenant, String id) {
    return kind().key().apply(tenant, id);
  }

  @Test
  void hasTheNewestSnapshot() {
    S first = created(one, AT);
    S second = running(one, AT);

    assertEquals(Optional.empty(), models.snapshot(one));
    assertTrue(models.save(first));
    assertEquals(Optional.of(first), models.snapshot(one));
    assertTrue(models.save(second));
    assertFalse(models.save(first));
    assertFalse(models.save(second));
    assertEquals(Optional.of(second), models.snapshot(one));
  }

  @Test
  void listsThoseOfOneTenantNewestFirst() {
    List<S> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(created(key(one.tenant(), "n-" + i), AT.plusSeconds(i)));
    }
    made.forEach(models::save);
    models.save(created(key(SampleRuns.tenant(), "n-9"), AT));

    List<S> first = models.newest(one.tenant(), 3, Optional.empty());
    assertEquals(made.reversed().subList(0, 3), first);
    Optional<String> after = Optional.of(kind().placeOf(first.getLast()));
    assertEquals(made.reversed().subList(3, 5), models.newest(one.tenant(), 3, after));
  }

  @Test
  void pagesThroughThoseOfATenant() {
    S older = created(key(one.tenant(), "older"), AT);
    S newer = created(key(one.tenant(), "newer"), AT.plusSeconds(1));
    models.save(older);
    models.save(newer);

    ModelPage<S> first = kind().page(models, one.tenant(), 1, Optional.empty());
    assertEquals(List.of(newer), first.states());
    ModelPage<S> rest = kind().page(models, one.tenant(), 1, first.next());
    assertEquals(new ModelPage<>(List.of(older), Optional.empty()), rest);
  }

  @Test
  void findsWhatIsDue() {
    S runs = running(one, AT);
    Instant due = kind().dueAt().apply(runs).orElseThrow();
    models.save(created(key(one.tenant(), "waits"), AT));
    models.save(runs);
    int shard = Models.shardOf(one);

    assertFalse(models.due(shard, due.minusSeconds(1), 100_000).contains(one));
    assertTrue(models.due(shard, due, 100_000).contains(one));
    assertFalse(models.due((shard + 1) % Models.DUE_SHARDS, due, 100_000).contains(one));
  }
}
