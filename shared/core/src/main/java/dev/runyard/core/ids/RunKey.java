package dev.runyard.core.ids;

import java.util.Objects;
import java.util.regex.Pattern;

/// Whose run it is and which: the address of one event log partition.
public record RunKey(String tenant, String runId) {
  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
  private static final Pattern RUN_ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  private static final String SEPARATOR = "#run#";

  public RunKey {
    Objects.requireNonNull(tenant);
    if (!TENANT.matcher(tenant).matches()) {
      throw new IllegalArgumentException("not a tenant: " + tenant);
    }
    if (!isRunId(runId)) {
      throw new IllegalArgumentException("not a run id: " + runId);
    }
  }

  /// True for a UUIDv7 in lower case.
  public static boolean isRunId(String text) {
    return RUN_ID.matcher(text).matches();
  }

  /// `<tenant>#run#<runId>`, the partition key of the event log.
  public String partition() {
    return tenant + SEPARATOR + runId;
  }

  public static RunKey ofPartition(String partition) {
    int at = partition.indexOf(SEPARATOR);
    if (at < 0) {
      throw new IllegalArgumentException("not a run partition: " + partition);
    }
    return new RunKey(partition.substring(0, at), partition.substring(at + SEPARATOR.length()));
  }
}
