package dev.runyard.aws;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Conversions from and to attribute values of table items.
final class Attributes {
  /// The attribute by which a table deletes items.
  static final String EXPIRES = "expires";

  private Attributes() {}

  static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  static AttributeValue bytes(byte[] value) {
    return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(value));
  }

  /// When the table may delete an item written now, in epoch seconds.
  static AttributeValue expiry(InstantSource clock, Duration retention) {
    return expiry(clock.instant().plus(retention));
  }

  static AttributeValue expiry(Instant at) {
    return number(at.getEpochSecond());
  }

  /// The attribute `name` of an item that always has it.
  static AttributeValue of(Map<String, AttributeValue> item, String name) {
    return Objects.requireNonNull(item.get(name), () -> "an item lacks " + name);
  }

  static String textOf(Map<String, AttributeValue> item, String name) {
    return of(item, name).s();
  }

  static long numberOf(Map<String, AttributeValue> item, String name) {
    return Long.parseLong(of(item, name).n());
  }
}
