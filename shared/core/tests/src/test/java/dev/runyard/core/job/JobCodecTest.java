package dev.runyard.core.job;

import static dev.runyard.core.job.FoldedJob.AT;
import static dev.runyard.core.job.FoldedJob.JOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.json.JsonFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The JSON form of a job's events.
final class JobCodecTest {
  private static StoredJobEvent stored(JobEvent event) {
    return new StoredJobEvent(JOB, "s-1", 3, AT, event, new Requester("key:k1", "request-7"));
  }

  private static JsonNode json(JobEvent event) throws Exception {
    return JsonFormat.JSON.readTree(JobCodec.JOBS.json(stored(event)));
  }

  private static List<StoredJobEvent> readAgain(StreamKey key, JobEvent event) {
    return JobCodec.JOBS.decode(key, JobCodec.JOBS.encode(List.of(stored(event))));
  }

  @Test
  void tellsWhereItHappenedAndWhoAskedForIt() throws Exception {
    JsonNode json = json(new JobEvent.Started());

    assertEquals("job.started", json.path("type").textValue());
    assertEquals("s-1", json.path("sessionId").textValue());
    assertEquals("j1", json.path("jobId").textValue());
    assertEquals("key:k1", json.path("actor").textValue());
    assertEquals("request-7", json.path("requestId").textValue());
    assertEquals(List.of(stored(new JobEvent.Started())), readAgain(JOB, new JobEvent.Started()));
  }

  @Test
  void tellsOfTheItemThatItIsAbout() throws Exception {
    JsonNode item = json(new JobEvent.ItemReported(7, "known"));

    assertEquals("job.progress", item.path("type").textValue());
    assertEquals("7", item.path("jobItemId").textValue());
    assertEquals("item_reported", item.path("payload").path("change").textValue());
    assertFalse(json(new JobEvent.Started()).has("jobItemId"));
  }

  @Test
  void keepsEventsOfTypesThatItDoesNotKnow() throws Exception {
    JobEvent other =
        new JobEvent.Other("job.renamed", JsonNodeFactory.instance.objectNode().put("name", "n"));

    assertEquals("job.renamed", json(other).path("type").textValue());
    assertEquals("n", json(other).path("payload").path("name").textValue());
    assertEquals(List.of(stored(other)), readAgain(JOB, other));
  }

  @Test
  void readsTheLogOfAJobByAnyKeyForIt() {
    StreamKey key =
        new StreamKey() {
          @Override
          public String tenant() {
            return "acme";
          }

          @Override
          public StreamKind kind() {
            return JobKey.KIND;
          }

          @Override
          public String id() {
            return "j1";
          }
        };

    assertEquals(List.of(stored(new JobEvent.Started())), readAgain(key, new JobEvent.Started()));
  }

  @Test
  void namesTheTypesOfItsEventsInOrder() {
    assertEquals(
        List.of(
            "job.cancelled",
            "job.completed",
            "job.created",
            "job.failed",
            "job.item.completed",
            "job.item.failed",
            "job.item.started",
            "job.progress",
            "job.started"),
        JobCodec.types());
  }
}
