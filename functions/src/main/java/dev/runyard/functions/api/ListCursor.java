package dev.runyard.functions.api;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.RunFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/// The cursor of a list of runs: the last run seen, and a digest of tenant, filter and run that
/// reveals an edited cursor, or one used with another filter. It grants nothing: a list never
/// leaves its tenant, whatever its cursor says.
final class ListCursor {
  private static final int DIGEST_BYTES = 9;
  private static final int TEXT_CHARS_MAX = 128;

  private ListCursor() {}

  static String encode(String tenant, RunFilter filter, String runId) {
    byte[] id = runId.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(digest(tenant, filter, runId), DIGEST_BYTES + id.length);
    System.arraycopy(id, 0, all, DIGEST_BYTES, id.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /// The run after which the next page begins; empty when the cursor is invalid.
  static Optional<String> decode(String tenant, RunFilter filter, String cursor) {
    if (cursor.length() > TEXT_CHARS_MAX) {
      return Optional.empty();
    }
    try {
      byte[] all = Base64.getUrlDecoder().decode(cursor);
      String runId =
          new String(
              all,
              Math.min(DIGEST_BYTES, all.length),
              Math.max(0, all.length - DIGEST_BYTES),
              StandardCharsets.US_ASCII);
      return RunKey.isRunId(runId) && encode(tenant, filter, runId).equals(cursor)
          ? Optional.of(runId)
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static byte[] digest(String tenant, RunFilter filter, String runId) {
    String named =
        String.join(
            "\n",
            tenant,
            String.valueOf(filter.status()),
            String.valueOf(filter.agent()),
            String.valueOf(filter.sessionId()),
            runId);
    return Arrays.copyOf(Digest.of(named.getBytes(StandardCharsets.UTF_8)), DIGEST_BYTES);
  }
}
