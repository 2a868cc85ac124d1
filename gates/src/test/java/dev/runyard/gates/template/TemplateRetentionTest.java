package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;

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
