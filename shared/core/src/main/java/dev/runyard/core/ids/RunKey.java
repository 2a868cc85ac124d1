package dev.runyard.core.ids;

import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;

/// The tenant and id of a run: the address of one partition of the event log.
public record RunKey(String tenant, String runId) implements StreamKey {
  /// The kind of stream a run is.
  public static final StreamKind KIND = new StreamKind("run");

  /// What a tenant's name is, for people.
  public static final String TENANT_FORM =
      "1 to 63 lower-case letters, digits, _ or -, not beginning with _ or -, and not uploads";

  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");

  /// What the keys of all tenants' uploads begin with in the artifact store, where those of
  /// everything else begin with the tenant: the objects of a tenant of this name would be among the
  /// uploads of others.
  private static final String NO_TENANT = "uploads";

  private static final Pattern RUN_ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  private static final String SEPARATOR = "#" + KIND.name() + "#";

  public RunKey {
    Objects.requireNonNull(tenant);
    if (!isTenant(tenant)) {
      throw new IllegalArgumentException("not a tenant: " + tenant);
    }
    if (!isRunId(runId)) {
      throw new IllegalArgumentException("not a run id: " + runId);
    }
  }

  /// True for a name that a tenant may have.
  public static boolean isTenant(String text) {
    return TENANT.matcher(text).matches() && !text.equals(NO_TENANT);
  }

  /// True for a UUIDv7 in lower case.
  public static boolean isRunId(String text) {
    return RUN_ID.matcher(text).matches();
  }

  /// When the id was made, by the clock of whoever made it: a UUIDv7 begins with its milliseconds.
  public Instant madeAt() {
    return Instant.ofEpochMilli(Long.parseLong(runId.replace("-", "").substring(0, 12), 16));
  }

  @Override
  public StreamKind kind() {
    return KIND;
  }

  @Override
  public String id() {
    return runId;
  }

  /// The run that the key names.
  ///
  /// @throws IllegalArgumentException when it is of another kind
  public static RunKey of(StreamKey key) {
    return key instanceof RunKey run ? run : ofPartition(key.partition());
  }

  /// The run of `<tenant>#run#<runId>`.
  public static RunKey ofPartition(String partition) {
    int at = partition.indexOf(SEPARATOR);
    if (at < 0) {
      throw new IllegalArgumentException("not a run partition: " + partition);
    }
    return new RunKey(partition.substring(0, at), partition.substring(at + SEPARATOR.length()));
  }
}
