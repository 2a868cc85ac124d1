package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunState;
import dev.runyard.core.view.RunJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [ReadModels] promises.
public abstract class ReadModelsContract {
  private static final Instant START = SampleRuns.START;
  private static final int DUE_MAX = 1000;
  private ReadModels models;

  /// The read models under test; they may hold runs of other tenants.
  protected abstract ReadModels readModels();

  @BeforeEach
  void open() {
    models = readModels();
  }

  @Test
  void hasNoSnapshotOfAnUnknownRun() {
    RunKey run = SampleRuns.run();
    models.save(SampleRuns.created(SampleRuns.run(run.tenant())));

    assertEquals(Optional.empty(), models.snapshot(run));
    assertEquals(
        new RunPage(List.of(), Optional.empty()),
        models.list(SampleRuns.tenant(), RunFilter.ALL, 10, Optional.empty()));
  }

  @Test
  void returnsEveryKindOfStateAsItWasSaved() {
    for (RunState.Existing state : SampleRuns.everyState(SampleRuns.tenant())) {
      assertTrue(models.save(state));

      RunState.Existing read = models.snapshot(state.facts().run()).orElseThrow();

      assertEquals(SnapshotCodec.encode(state), SnapshotCodec.encode(read));
      assertEquals(state.dueAt(), read.dueAt());
    }
  }

  /// Control characters are six times as long in JSON.
  @Test
  void keepsARunWhateverItsAgentSaid() {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    while (text.length() < Limits.TEXT_BYTES_MAX) {
      text.append((char) random.nextInt(32));
    }
    RunState.Existing run = SampleRuns.running(SampleRuns.created(SampleRuns.run()), START);
    run =
        SampleRuns.then(
            run,
            START,
            new RunEvent.ModelDelta(text.toString()),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta(text.reverse().toString()));

    assertTrue(models.save(run));

    RunState.Existing read = models.snapshot(run.facts().run()).orElseThrow();
    assertEquals(SnapshotCodec.encode(run), SnapshotCodec.encode(read));
  }

  /// However many other runs there are, and however the session began.
  @Test
  void listsTheRunsOfASession() {
    String tenant = SampleRuns.tenant();
    RunState.Created first = SampleRuns.created(SampleRuns.run(tenant));
    String session = first.facts().run().runId();
    RunState.Created own = SampleRuns.created(first.facts().run(), "codex", session, START);
    models.save(own);
    List<RunState.Existing> newestFirst = new ArrayList<>(List.of(own));
    for (int i = 0; i < 5; i++) {
      models.save(SampleRuns.created(SampleRuns.run(tenant), "codex", "s-other", START));
      RunState.Created next = SampleRuns.created(SampleRuns.run(tenant), "codex", session, START);
      models.save(next);
      newestFirst.addFirst(next);
    }

    RunFilter filter = new RunFilter(null, null, session);
    RunPage page = models.list(tenant, filter, 4, Optional.empty());
    assertEquals(ids(newestFirst.subList(0, 4)), ids(page.runs()));
    RunPage rest = models.list(tenant, filter, 4, page.next());
    assertEquals(ids(newestFirst.subList(4, 6)), ids(rest.runs()));
    assertEquals(Optional.empty(), rest.next());
    assertEquals(
        List.of(),
        models.list(tenant, new RunFilter("completed", null, session), 4, Optional.empty()).runs());
  }

  @Test
  void keepsTheNewestSnapshot() {
    RunState.Created older = SampleRuns.created(SampleRuns.run());
    RunState.InProgress newer = SampleRuns.running(older, START);

    assertTrue(models.save(newer));
    assertFalse(models.save(older));
    assertFalse(models.save(newer));

    assertEquals(newer.sequence(), models.snapshot(older.facts().run()).orElseThrow().sequence());
    assertTrue(models.save(SampleRuns.completed(newer, START)));
    assertTrue(models.snapshot(older.facts().run()).orElseThrow().closed());
  }

  @Test
  void keepsTheNewestOfManySavedAtOnce() throws Exception {
    RunState.Created first = SampleRuns.created(SampleRuns.run());
    List<RunState.Existing> states = new ArrayList<>();
    RunState.Existing state = SampleRuns.running(first, START);
    for (int i = 0; i < Race.THREADS; i++) {
      state = SampleRuns.then(state, START, new RunEvent.ModelDelta("more"));
      states.add(state);
    }

    Race.run(i -> models.save(states.get(i)));

    assertEquals(state.sequence(), models.snapshot(first.facts().run()).orElseThrow().sequence());
  }

  @Test
  void listsNewestFirstPageByPage() {
    String tenant = SampleRuns.tenant();
    List<RunKey> newestFirst = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      RunState.Created run = SampleRuns.created(SampleRuns.run(tenant));
      models.save(run);
      newestFirst.addFirst(run.facts().run());
    }
    models.save(SampleRuns.created(SampleRuns.run()));

    List<RunKey> listed = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      RunPage page = models.list(tenant, RunFilter.ALL, 3, after);
      page.runs().forEach(run -> listed.add(run.facts().run()));
      sizes.add(page.runs().size());
      after = page.next();
    } while (after.isPresent());

    assertEquals(newestFirst, listed);
    assertEquals(List.of(3, 3, 1), sizes);
  }

  @Test
  void endsAListThatFitsOnePageExactly() {
    String tenant = SampleRuns.tenant();
    models.save(SampleRuns.created(SampleRuns.run(tenant)));
    models.save(SampleRuns.created(SampleRuns.run(tenant)));

    RunPage page = models.list(tenant, RunFilter.ALL, 2, Optional.empty());

    assertEquals(2, page.runs().size());
    assertEquals(Optional.empty(), page.next());
  }

  @Test
  void listsOnlyWhatTheFilterLetsThrough() {
    String tenant = SampleRuns.tenant();
    RunState.Created queued = SampleRuns.created(SampleRuns.run(tenant), "codex", "s-1", START);
    RunState.InProgress busy =
        SampleRuns.running(
            SampleRuns.created(SampleRuns.run(tenant), "codex", "s-2", START), START);
    RunState.Completed done =
        SampleRuns.completed(
            SampleRuns.running(
                SampleRuns.created(SampleRuns.run(tenant), "gemini", "s-1", START), START),
            START);
    List.of(queued, busy, done).forEach(models::save);

    assertEquals(ids(List.of(done, busy, queued)), listed(tenant, null, null, null));
    assertEquals(ids(List.of(done)), listed(tenant, "completed", null, null));
    assertEquals(ids(List.of(busy)), listed(tenant, "in-progress", null, null));
    assertEquals(ids(List.of(busy, queued)), listed(tenant, null, "codex", null));
    assertEquals(ids(List.of(done, queued)), listed(tenant, null, null, "s-1"));
    assertEquals(ids(List.of(queued)), listed(tenant, "created", "codex", "s-1"));
    assertEquals(List.of(), listed(tenant, "created", "gemini", null));
  }

  @Test
  void pagesSkipAndRepeatNothingHoweverManyRunsThereAre() {
    String tenant = SampleRuns.tenant();
    List<String> newestFirst = new ArrayList<>();
    for (int i = 0; i < 3 * ReadModels.LIST_MAX; i++) {
      String agent = i % 3 == 0 ? "codex" : "echo";
      RunState.Created run = SampleRuns.created(SampleRuns.run(tenant), agent, "s-1", START);
      models.save(run);
      newestFirst.addFirst(run.facts().run().runId());
    }
    List<String> codex = new ArrayList<>();
    for (int i = 2; i < newestFirst.size(); i += 3) {
      codex.add(newestFirst.get(i));
    }

    for (int limit : new int[] {1, 7, 50, ReadModels.LIST_MAX}) {
      assertEquals(newestFirst, paged(tenant, RunFilter.ALL, limit));
      assertEquals(codex, paged(tenant, new RunFilter(null, "codex", null), limit));
    }
  }

  @Test
  void aRunThatComesBetweenTwoPagesMovesNoOther() {
    String tenant = SampleRuns.tenant();
    List<RunState.Created> before = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      RunState.Created run = SampleRuns.created(SampleRuns.run(tenant));
      models.save(run);
      before.addFirst(run);
    }
    RunPage first = models.list(tenant, RunFilter.ALL, 4, Optional.empty());
    models.save(SampleRuns.created(SampleRuns.run(tenant)));
    models.save(SampleRuns.running(before.get(6), START));

    RunPage second = models.list(tenant, RunFilter.ALL, 100, first.next());

    assertEquals(ids(before.subList(0, 4)), ids(first.runs()));
    assertEquals(ids(before.subList(4, 9)), ids(second.runs()));
  }

  /// A list shows everything of a run, but only the beginning of its text.
  @Test
  void listsARunWithTheBeginningOfItsWords() {
    String tenant = SampleRuns.tenant();
    for (RunState.Existing state : SampleRuns.everyState(tenant)) {
      models.save(state);
      ObjectNode whole = RunJson.of(models.snapshot(state.facts().run()).orElseThrow());
      List<RunState.Existing> listed =
          models.list(tenant, RunFilter.ALL, ReadModels.LIST_MAX, Optional.empty()).runs();
      assertEquals(
          List.of(whole),
          listed.stream()
              .filter(run -> run.facts().run().equals(state.facts().run()))
              .map(RunJson::of)
              .toList());
    }
    RunState.Existing talkative =
        SampleRuns.then(
            SampleRuns.running(SampleRuns.created(SampleRuns.run(tenant)), START),
            START,
            new RunEvent.ModelDelta("é".repeat(40_000)),
            new RunEvent.ModelCompleted(),
            new RunEvent.ModelDelta("more"));
    models.save(talkative);

    RunState.Existing row =
        models.list(tenant, RunFilter.ALL, 1, Optional.empty()).runs().getFirst();
    String shown = row.facts().finalText();
    String said = Objects.requireNonNull(talkative.facts().finalText());

    assertEquals(talkative.facts().run(), row.facts().run());
    assertEquals(Bounds.truncate(said, ReadModels.LIST_TEXT_BYTES_MAX), shown);
    assertEquals(said, models.snapshot(row.facts().run()).orElseThrow().facts().finalText());
  }

  /// A page may be short, or empty, while there is a next one, because reading far is expensive.
  @Test
  void findsWhatTheFilterLetsThroughFarBack() {
    String tenant = SampleRuns.tenant();
    RunState.Created oldest = SampleRuns.created(SampleRuns.run(tenant), "codex", "s-1", START);
    models.save(oldest);
    for (int i = 0; i < 2 * ReadModels.LIST_MAX + 3; i++) {
      models.save(SampleRuns.created(SampleRuns.run(tenant)));
    }

    List<RunState.Existing> found = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      RunPage page = models.list(tenant, new RunFilter(null, "codex", null), 1, after);
      found.addAll(page.runs());
      after = page.next();
    } while (after.isPresent());

    assertEquals(ids(List.of(oldest)), ids(found));
  }

  @Test
  void findsARunOnceItIsDue() {
    RunState.Created run = SampleRuns.created(SampleRuns.run());
    models.save(run);
    RunKey key = run.facts().run();
    Instant due = run.dueAt().orElseThrow();

    assertFalse(due(key.tenant(), due.minusMillis(1)).contains(key));
    assertEquals(List.of(key), due(key.tenant(), due));
    assertTrue(models.due(ReadModels.shardOf(key), due, DUE_MAX).contains(key));
  }

  @Test
  void movesARunInTheIndexWhenItIsSavedAgain() {
    RunState.Created queued = SampleRuns.created(SampleRuns.run());
    RunState.InProgress busy = SampleRuns.running(queued, START);
    models.save(queued);
    models.save(busy);
    String tenant = queued.facts().run().tenant();

    assertEquals(List.of(), due(tenant, queued.dueAt().orElseThrow()));
    assertEquals(List.of(queued.facts().run()), due(tenant, busy.dueAt().orElseThrow()));
  }

  @Test
  void dropsAClosedRunFromTheIndex() {
    RunState.InProgress busy = SampleRuns.running(SampleRuns.created(SampleRuns.run()), START);
    models.save(busy);
    models.save(SampleRuns.completed(busy, START));

    assertEquals(
        List.of(), due(busy.facts().run().tenant(), busy.dueAt().orElseThrow().plusSeconds(9999)));
  }

  @Test
  void returnsTheEarliestDueFirst() {
    RunKey first = SampleRuns.run();
    Set<RunKey> sameShard = new HashSet<>(List.of(first));
    while (sameShard.size() < 3) {
      RunKey run = SampleRuns.run(first.tenant());
      if (ReadModels.shardOf(run) == ReadModels.shardOf(first)) {
        sameShard.add(run);
      }
    }
    List<RunKey> latestFirst = List.copyOf(sameShard);
    Instant epoch = Instant.EPOCH;
    for (int i = 0; i < latestFirst.size(); i++) {
      models.save(
          SampleRuns.created(latestFirst.get(i), "echo", "s-1", epoch.plusSeconds(100L - i)));
    }

    int shard = ReadModels.shardOf(first);
    Instant now = epoch.plusSeconds(300);
    List<RunKey> due = models.due(shard, now, DUE_MAX);

    assertEquals(latestFirst.reversed(), due.stream().filter(sameShard::contains).toList());
    assertEquals(due.subList(0, 2), models.due(shard, now, 2));
  }

  private List<RunKey> due(String tenant, Instant now) {
    List<RunKey> all = new ArrayList<>();
    for (int shard = 0; shard < ReadModels.DUE_SHARDS; shard++) {
      models.due(shard, now, DUE_MAX).stream()
          .filter(run -> run.tenant().equals(tenant))
          .forEach(all::add);
    }
    return all;
  }

  private List<String> listed(
      String tenant, @Nullable String status, @Nullable String agent, @Nullable String session) {
    return ids(
        models.list(tenant, new RunFilter(status, agent, session), 10, Optional.empty()).runs());
  }

  private List<String> paged(String tenant, RunFilter filter, int limit) {
    List<String> listed = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      RunPage page = models.list(tenant, filter, limit, after);
      assertTrue(page.runs().size() <= limit);
      listed.addAll(ids(page.runs()));
      after = page.next();
    } while (after.isPresent());
    return listed;
  }

  private static List<String> ids(List<? extends RunState.Existing> runs) {
    return runs.stream().map(run -> run.facts().run().runId()).toList();
  }
}
