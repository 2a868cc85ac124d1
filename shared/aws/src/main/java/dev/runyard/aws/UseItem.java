package dev.runyard.aws;

import dev.runyard.core.quota.TenantUse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The item of what a tenant uses. A run's id is kept as the sixteen bytes it stands for, since
/// each write is paid for by the size of the item.
final class UseItem {
  /// Not `open`, which is a key of an index of the table.
  static final String OPEN = "runs";

  static final String PLACED = "placed";
  static final String MINUTE = "minute";
  static final String SUBMITTED = "submitted";
  static final String DAY = "day";
  static final String TOKENS = "tokens";
  static final String COST = "microdollars";

  /// One partition, so that a right can name it and `sweep` finds all.
  private static final AttributeValue PARTITION = Attributes.text("quota");

  private UseItem() {}

  static AttributeValue partition() {
    return PARTITION;
  }

  static Map<String, AttributeValue> key(String tenant) {
    return Map.of("pk", PARTITION, "sk", Attributes.text(tenant));
  }

  static TenantUse use(Map<String, AttributeValue> item) {
    return new TenantUse(
        ids(item, OPEN),
        ids(item, PLACED),
        number(item, MINUTE),
        ids(item, SUBMITTED),
        number(item, DAY),
        number(item, TOKENS),
        number(item, COST));
  }

  static AttributeValue bytes(String runId) {
    UUID id = UUID.fromString(runId);
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits());
    return Attributes.bytes(bytes.array());
  }

  /// A set of one run, to be added to another set or taken from it.
  static AttributeValue set(String runId) {
    return AttributeValue.fromBs(List.of(bytes(runId).b()));
  }

  private static Set<String> ids(Map<String, AttributeValue> item, String name) {
    AttributeValue set = item.get(name);
    return set == null
        ? Set.of()
        : set.bs().stream().map(UseItem::id).collect(Collectors.toUnmodifiableSet());
  }

  private static String id(SdkBytes bytes) {
    ByteBuffer both = bytes.asByteBuffer();
    return new UUID(both.getLong(), both.getLong()).toString();
  }

  private static long number(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? Attributes.numberOf(item, name) : 0;
  }
}
