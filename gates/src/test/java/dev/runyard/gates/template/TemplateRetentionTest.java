package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

/// How long the template keeps what belongs to a run.
@Reads(SamTemplate.FILE)
class TemplateRetentionTest {
  /// A run may continue with files that an earlier one left, and its log names outputs.
  @Gate
  @Breach(
      replace = "ExpirationInDays: !Ref RetentionDays",
      by = "ExpirationInDays: 1",
      named = "ArtifactsBucket")
  @Breach(
      replace = "- Status: Enabled\n            ExpirationInDays",
      by = "- Status: Enabled\n            Prefix: default/\n            ExpirationInDays",
      named = "ArtifactsBucket")
  void keepsFilesExactlyAsLongAsTheirRuns(Repository repository) {
    var buckets = SamTemplate.of(repository).ofType("AWS::S3::Bucket");
    assertFalse(buckets.isEmpty());
    buckets.forEach(
        (id, bucket) -> {
          var rule = bucket.at("/LifecycleConfiguration/Rules/0");
          assertEquals("RetentionDays", rule.at("/ExpirationInDays/Ref").asText(), id);
          assertEquals("Enabled", rule.path("Status").asText(), id);
          assertEquals("", rule.path("Prefix").asText(), id);
        });
  }

  @Gate
  @Breach(replace = "ExpirationInDays: 9", by = "ExpirationInDays: 7", named = "uploads")
  void keepsAnUploadAsLongAsARunThatNamesItMayWait(Repository repository) {
    var rules =
        SamTemplate.of(repository)
            .properties("ArtifactsBucket")
            .path("LifecycleConfiguration")
            .path("Rules");
    var days =
        StreamSupport.stream(rules.spliterator(), false)
            .filter(rule -> rule.path("Prefix").asText().equals("uploads/"))
            .map(rule -> rule.path("ExpirationInDays").asInt())
            .toList();
    assertEquals(List.of(Limits.UPLOAD_DAYS), days, "uploads");
    var longest =
        Limits.UPLOAD_SECONDS
            + Limits.QUEUED_SECONDS_MAX
            + Limits.RUN_SECONDS_MAX
            + Limits.AWAIT_SECONDS_MAX;
    assertTrue(Duration.ofDays(Limits.UPLOAD_DAYS).toSeconds() >= longest, "uploads");
  }

  /// What reads a row's end from the environment must be given the days the bucket keeps files.
  @Gate
  @Breach(
      replace = "RUNYARD_RETENTION_DAYS: !Ref RetentionDays",
      by = "RUNYARD_RETENTION_DAYS: 30",
      named = "AdvanceFunction")
  @Breach(
      replace = "Name: RUNYARD_RETENTION_DAYS, Value: !Ref RetentionDays",
      by = "Name: RUNYARD_RETENTION_DAYS, Value: 30",
      named = "runner")
  void keepsRowsAsLongAsTheParameterSays(Repository repository) {
    var template = SamTemplate.of(repository);
    for (var function : template.functions().entrySet()) {
      var days = template.environment(function.getValue()).get("RUNYARD_RETENTION_DAYS");
      assertEquals("{\"Ref\":\"RetentionDays\"}", String.valueOf(days), function.getKey());
    }
    for (var variable : template.runnerContainer().path("Environment")) {
      if (variable.path("Name").asText().equals("RUNYARD_RETENTION_DAYS")) {
        assertEquals("RetentionDays", variable.at("/Value/Ref").asText(), "runner");
      }
    }
  }
}
