package dev.runyard.core.job;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import java.util.regex.Pattern;

/// The tenant and id of a job: the address of its log. The id is the caller's or a UUIDv7.
public record JobKey(String tenant, String jobId) implements StreamKey {
  public static final StreamKind KIND = new StreamKind("job");

  private static final Pattern JOB_ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final String SEPARATOR = "#" + KIND.name() + "#";

  public JobKey {
    if (!RunKey.isTenant(tenant)) {
      throw new IllegalArgumentException("not a tenant: " + tenant);
    }
    if (!isJobId(jobId)) {
      throw new IllegalArgumentException("not a job id: " + jobId);
    }
  }

  /// True for an id that a job may have. `.` and `..` mean something else in a path.
  public static boolean isJobId(String text) {
    return JOB_ID.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }

  /// The job of `<tenant>#job#<jobId>`.
  ///
  /// @throws IllegalArgumentException for any other text
  public static JobKey ofPartition(String partition) {
    int at = partition.indexOf(SEPARATOR);
    if (at < 0) {
      throw new IllegalArgumentException("not a job partition: " + partition);
    }
    return new JobKey(partition.substring(0, at), partition.substring(at + SEPARATOR.length()));
  }

  @Override
  public StreamKind kind() {
    return KIND;
  }

  @Override
  public String id() {
    return jobId;
  }
}
