package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.stream.ChunkHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is written of a job besides its log, and how much of the log is read for it.
final class ProjectJobTest {
  private final JobRig rig = new JobRig();
  private final WatchedLog log = new WatchedLog(rig.log);
  private final ProjectJob project = new ProjectJob(log, rig.memory.jobs());

  /// A log of which a test sees from where it is read.
  private record WatchedLog(MemoryEventLog behind, List<Long> read) implements EventLog {
    WatchedLog(MemoryEventLog behind) {
      this(behind, new ArrayList<>());
    }

    List<Long> takeRead() {
      List<Long> all = List.copyOf(read);
      read.clear();
      return all;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      return behind.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      read.add(sequence);
      return behind.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return behind.chunkAt(key, sequence);
    }
  }

  private long saved(JobKey job) {
    return rig.memory.jobs().models().snapshot(job).orElseThrow().sequence();
  }

  @Test
  void aListShowsAJobAsSoonAsItIsCreated() {
    JobKey job = rig.created(JobRig.body(1));

    assertEquals(rig.job(job).sequence(), saved(job));
  }

  @Test
  void readsOnlyWhatItDoesNotKnowYet() {
    JobKey job = rig.created(JobRig.body(2));
    long known = saved(job);
    JobRig.done(rig.jobs.manage().start(JobRig.BY, "j1", Optional.empty()));

    project.project(job);
    assertEquals(List.of(known), log.takeRead());
    project.project(job);
    assertEquals(List.of(rig.job(job).sequence()), log.takeRead());

    rig.settle(job);
    rig.endAll(job, true);
    project.project(job);
    log.takeRead();
    project.project(job);
    assertEquals(List.of(), log.takeRead());
  }

  @Test
  void savesTheJobWhenItsStatusChangesOrSomebodyKeepsIt() {
    JobKey job = rig.started(JobRig.body(3).put("concurrency", 1));
    project.project(job);
    long running = rig.job(job).sequence();
    assertEquals(running, saved(job));

    rig.endAll(job, true);
    project.project(job);
    assertEquals(running, saved(job));

    project.keep(job);
    assertEquals(rig.job(job).sequence(), saved(job));
  }

  @Test
  void savesTheJobAfterManyEvents() {
    JobKey job = rig.begun(JobRig.body(ProjectJob.SNAPSHOT_EVENTS).put("concurrency", 200));
    project.project(job);
    assertEquals(rig.job(job).sequence(), saved(job));

    rig.settle(job);
    project.project(job);

    assertEquals(rig.job(job).sequence(), saved(job));
  }

  @Test
  void notesWhatIsReportedOfAnItemWhoseRowIsThere() {
    JobKey job = rig.started(JobRig.body(2));
    rig.endAll(job, false);
    project.project(job);

    JobRig.done(rig.jobs.manage().report(JobRig.BY, "j1", 2, "known", Optional.empty()));
    project.project(job);

    ItemRow row = rig.memory.jobs().items().row(job, 2).orElseThrow();
    assertEquals("known", row.note());
    assertTrue(row.error() != null);
  }

  @Test
  void saysWhereTheLogIsBroken() {
    JobKey job = rig.created(JobRig.body(1));
    assertEquals(0, project.project(job));
    long next = rig.job(job).sequence() + 1;
    JobEvent forged = new JobEvent.Other("job.renamed", JsonNodeFactory.instance.objectNode());
    log.append(
        new Chunk(
            job,
            "forged",
            "nobody",
            ChunkBody.of(
                JobCodec.JOBS,
                List.of(new StoredJobEvent(job, "j1", next, rig.clock.instant(), forged, null))),
            Optional.empty(),
            false,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES]))));

    assertEquals(next, project.project(job));
    assertEquals(next, project.project(job));
  }
}
