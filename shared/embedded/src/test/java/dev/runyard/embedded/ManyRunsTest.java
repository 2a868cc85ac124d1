package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Lists of a tenant that has many runs.
@ExtendWith(StoreRig.Given.class)
class ManyRunsTest {
  private static final int RUNS = SqliteReadModels.LOOKS_MAX + 50;
  private static final int CANCELLED_EACH = 1_000;
  private static final int THREADS = 16;
  private static final int SESSIONS = 100;
  private final StoreRig rig;

  ManyRunsTest(StoreRig rig) {
    this.rig = rig;
  }

  @BeforeEach
  void save() throws Exception {
    ReadModels models = rig.store().models();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> saved = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        saved.add(
            threads.submit(
                () -> {
                  for (int run = first; run < RUNS; run += THREADS) {
                    String session = "session-" + run % SESSIONS;
                    models.save(
                        run % CANCELLED_EACH == 0
                            ? SampleRun.cancelled(SampleRun.key(run), session)
                            : SampleRun.created(SampleRun.key(run), session));
                  }
                }));
      }
      for (Future<?> done : saved) {
        done.get();
      }
    }
  }

  @Test
  void areListedPageByPageWithNoneLeftOutOrRepeated() {
    List<String> all = ids(IntStream.range(0, RUNS));

    assertEquals(all, paged(RunFilter.ALL, ReadModels.LIST_MAX));
    assertEquals(
        ids(IntStream.range(0, RUNS).filter(run -> run % CANCELLED_EACH == 0)),
        paged(new RunFilter("cancelled", "echo", null), 3));
    assertEquals(
        ids(IntStream.range(0, RUNS).filter(run -> run % SESSIONS == 7)),
        paged(new RunFilter(null, null, "session-7"), 9));
    RunFilter none = new RunFilter(null, "codex", null);
    assertEquals(List.of(), paged(none, 9));

    RunPage bounded = rig.store().models().list("acme", none, 5, Optional.empty());
    assertEquals(List.of(), bounded.runs());
    assertEquals(
        Optional.of(SampleRun.key(RUNS - SqliteReadModels.LOOKS_MAX).runId()), bounded.next());
  }

  private List<String> paged(RunFilter filter, int limit) {
    List<String> listed = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      RunPage page = rig.store().models().list("acme", filter, limit, after);
      assertTrue(page.runs().size() <= limit);
      page.runs().forEach(run -> listed.add(run.facts().run().runId()));
      after = page.next();
    } while (after.isPresent());
    return listed;
  }

  /// Ids of the runs with these numbers, newest first.
  private static List<String> ids(IntStream numbers) {
    return numbers.mapToObj(number -> SampleRun.key(number).runId()).toList().reversed();
  }
}
