package dev.runyard.bench.cost;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The size DynamoDB bills an item by: names and values, numbers at about one byte for two digits.
final class ItemSize {
  private static final int UNIT_BYTES = 1024;

  private ItemSize() {}

  static double bytes(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .mapToDouble(entry -> utf8(entry.getKey()) + bytes(entry.getValue()))
        .sum();
  }

  static double writeUnits(Map<String, AttributeValue> item) {
    return Math.ceil(bytes(item) / UNIT_BYTES);
  }

  private static double bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> utf8(value.s());
      case N -> Math.ceil(value.n().length() / 2.0) + 1;
      case B -> value.b().asByteArrayUnsafe().length;
      case BOOL, NUL -> 1;
      case SS, NS, BS, M, L, UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("the tables have no " + value.type());
    };
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
