package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;

/// The disk of a runner has the files of each of its runs, as many as one may have by default, and
/// what they were checked out of.
@Reads(SamTemplate.FILE)
final class RunnerDiskTest {
  /// What one attempt may have.
  private static final int RUN_GIB = 4;

  /// What servers may send for it, beside what it has of that.
  private static final int CHECKOUT_GIB = 2;

  /// The image and the system.
  private static final int IMAGE_GIB = 3;

  @Gate
  @Breach(
      replace = "TaskDiskGib: { Type: Number, Default: 30",
      by = "TaskDiskGib: { Type: Number, Default: 21",
      named = "TaskDiskGib is 21")
  void sufficesForAllRuns(Repository repository) {
    var template = SamTemplate.of(repository);
    int disk = template.parameter("TaskDiskGib").path("Default").asInt();
    int runs = template.parameter("RunsPerRunner").path("Default").asInt();

    assertTrue(disk >= runs * (RUN_GIB + CHECKOUT_GIB) + IMAGE_GIB, "TaskDiskGib is " + disk);
  }

  @Gate
  @Breach(
      replace = "EphemeralStorage: { SizeInGiB: !Ref TaskDiskGib }",
      by = "PidMode: task",
      named = "TaskDiskGib")
  void isTheParameters(Repository repository) {
    var task = SamTemplate.of(repository).properties("RunnerTask");

    assertEquals(
        "TaskDiskGib", task.path("EphemeralStorage").path("SizeInGiB").path("Ref").asText());
  }
}
