package dev.runyard.core.ids;

/// The tenant, kind and id of a stream: the address of one partition of the event log. Keys of the
/// same kind, tenant and id are equal.
public interface StreamKey {
  String tenant();

  StreamKind kind();

  /// Names the stream among those of its kind and tenant.
  String id();

  /// `<tenant>#<kind>#<id>`, the partition key of the event log.
  default String partition() {
    return tenant() + "#" + kind().name() + "#" + id();
  }
}
