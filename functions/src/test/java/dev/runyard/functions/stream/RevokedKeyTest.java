package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.Scope;
import dev.runyard.core.event.Requester;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobTerms;
import dev.runyard.core.job.OnFailed;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Streams of jobs and of threads whose reader was admitted with a key that no longer stands.
final class RevokedKeyTest {
  private final StreamRig rig =
      new StreamRig(
          _ ->
              Authentication.everybody(
                  new Identity.KeyHolder(
                      "key_1",
                      "0".repeat(64),
                      "key:key_1",
                      Identity.TENANT_DEFAULT,
                      EnumSet.allOf(Scope.class))));

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void endsTheStreamOfAJob() throws Exception {
    JobTerms terms = new JobTerms("j1", 1, OnFailed.HOLD, null, null, null, "f", null, null);
    rig.twins
        .useCases
        .jobs()
        .log()
        .execute(
            new JobKey(Identity.TENANT_DEFAULT, "j1"),
            JobState.absent(),
            new JobCommand.Create(terms, Optional.empty(), Requester.of("somebody")));
    assertEndsWithinAMinute("/v1/jobs/j1/events");
  }

  @Test
  void endsTheStreamOfAThread() throws Exception {
    rig.twins.submitted("s-7");
    rig.twins.submitted("s-7");
    assertEndsWithinAMinute("/v1/threads/thread-s-7/events");
  }

  private void assertEndsWithinAMinute(String path) throws Exception {
    Instant before = rig.twins.clock.instant();
    try (Stream stream = rig.stream(path)) {
      assertEquals(200, stream.response.statusCode());
      assertTrue(!stream.toEnd().isEmpty());
    }
    assertTrue(
        Duration.between(before, rig.twins.clock.instant()).compareTo(Duration.ofMinutes(1)) < 0);
  }
}
