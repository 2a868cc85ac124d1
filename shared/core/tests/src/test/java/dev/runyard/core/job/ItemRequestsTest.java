package dev.runyard.core.job;

import static dev.runyard.core.job.FoldedJob.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.memory.MemoryJobPorts;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.RunRequestReader;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How the requests of items are stored and read.
final class ItemRequestsTest {
  private final WatchedItems items = new WatchedItems(new MemoryJobPorts().items());
  private final ItemRequests requests = new ItemRequests(items);
  private final Random random = new Random(5);

  private static RunRequest says(String prompt) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("agent", "echo").put("prompt", prompt);
    return ((RunRequestReader.Result.Accepted)
            new RunRequestReader(AgentCatalog.builtIn()).read(body))
        .request();
  }

  /// Text that does not compress.
  private String noise(int bytes) {
    byte[] noise = new byte[bytes];
    random.nextBytes(noise);
    return Base64.getEncoder().encodeToString(noise);
  }

  private ItemBatch put(List<RunRequest> all) {
    return requests.put(JOB, all, "k").at(1);
  }

  /// The requests of all items, read by another process.
  private List<RunRequest> read(ItemBatch batch) {
    ItemRequests other = new ItemRequests(items);
    JobProgress progress = JobProgress.NONE.with(batch);
    return IntStream.rangeClosed(1, batch.count())
        .mapToObj(item -> other.of(JOB, progress, item).orElseThrow())
        .toList();
  }

  @Test
  void storesManySmallRequestsTogether() {
    List<RunRequest> all = IntStream.range(0, 250).mapToObj(i -> says("say " + i)).toList();

    ItemBatch batch = put(all);

    assertEquals(100, batch.step());
    assertEquals(3, items.sizes().size());
    assertEquals(all, read(batch));
  }

  @Test
  void storesFewLargeRequestsTogether() {
    List<RunRequest> all = IntStream.range(0, 30).mapToObj(_ -> says(noise(1500))).toList();

    ItemBatch batch = put(all);

    assertTrue(batch.step() < 20, () -> "step " + batch.step());
    for (int bytes : items.sizes()) {
      assertTrue(bytes <= 2 * JobLimits.INPUTS_BYTES_MAX, () -> bytes + " bytes");
    }
    assertEquals(all, read(batch));
  }

  /// What the first of a part needs by itself does not count: it is stored in any case.
  @Test
  void storesSmallRequestsTogetherThoughTheFirstIsLarge() {
    RunRequest large = says(noise(40 * 1024));
    List<RunRequest> all = List.of(large, says("b"), says("c"));

    ItemBatch batch = put(all);

    assertEquals(100, batch.step());
    assertEquals(1, items.sizes().size());
    assertEquals(all, read(batch));
  }

  @Test
  void aRequestLacksWhatOnlyTheFirstOfItsPartHas() {
    List<RunRequest> all =
        List.of(says("a").in(InThread.of("thread-1", null, null)), says("b"), says("c"));

    assertEquals(all, read(put(all)));
  }

  @Test
  void readsAPartOnce() {
    JobProgress progress = JobProgress.NONE.with(put(List.of(says("a"), says("b"))));

    assertEquals(Optional.of(says("a")), requests.of(JOB, progress, 1));
    assertEquals(Optional.of(says("b")), requests.of(JOB, progress, 2));

    assertEquals(1, items.read().size());
  }

  /// Whoever lost the race for the job's id may have stored theirs first.
  @Test
  void keepsWhatItemsHaveInCommonByWhatTheJobWasCreatedWith() {
    ObjectNode lost = JsonNodeFactory.instance.objectNode().put("agent", "nobody");
    ObjectNode won = JsonNodeFactory.instance.objectNode().put("agent", "echo");

    requests.putCommon(JOB, "lost", lost);
    requests.putCommon(JOB, "won", won);

    assertEquals(Optional.of(won), requests.common(JOB, "won"));
    assertEquals(Optional.empty(), requests.common(JOB, "another"));
  }
}
