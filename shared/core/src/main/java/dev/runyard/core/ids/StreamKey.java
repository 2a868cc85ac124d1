package dev.runyard.core.ids;

/// Whose stream it is, of which kind, and which: the address of one partition of the event log. A
/// key is a value: two of the same kind, tenant and id are equal.
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
