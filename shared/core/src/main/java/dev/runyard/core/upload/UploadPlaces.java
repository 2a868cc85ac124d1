package dev.runyard.core.upload;

import dev.runyard.core.limits.Limits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Where clients put the bytes of uploads: addresses that need no other proof, and what has come in
/// through them. Nothing is at a place until all of its bytes are, and they are what its id says.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface UploadPlaces {
  /// Most uploads of a tenant that are listed.
  int LISTED_MAX = Limits.UPLOADS_LISTED_MAX;

  /// Opens a place for exactly these bytes, until `until`; they may be put more than once.
  Place open(String tenant, UploadId id, long bytes, Instant until);

  /// How many bytes are there; empty if none are.
  OptionalLong bytes(String tenant, UploadId id);

  /// The uploads of a tenant whose bytes are there, in no order, at most [#LISTED_MAX].
  List<UploadId> list(String tenant);

  /// Where and how the bytes are put.
  ///
  /// @param url absolute, or a path of the API's own server
  /// @param headers to be sent with the bytes
  /// @param until a put must begin before that
  record Place(String url, String method, Map<String, String> headers, Instant until) {
    public Place {
      headers = Map.copyOf(headers);
    }
  }
}
