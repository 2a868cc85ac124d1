package dev.runyard.aws;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Scope;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The items of keys and what they mean.
final class KeyItems {
  private static final String OPENING = "key#";
  private static final String LIST = "#keys";
  private static final String HASH = "hash";
  private static final String ID = "id";
  private static final String TENANT = "tenant";
  private static final String NAME = "name";
  private static final String SCOPES = "scopes";
  private static final String MADE_BY = "madeBy";
  private static final String CREATED_AT = "createdAt";
  private static final String EXPIRES_AT = "expiresAt";
  private static final String USED_AT = "usedAt";
  private static final String REVOKED_AT = "revokedAt";

  private KeyItems() {}

  /// Where the item is that opens.
  static Map<String, AttributeValue> opening(String hash) {
    return at(Attributes.text(OPENING + hash), RunItems.ONLY);
  }

  /// Where the item of the list is.
  static Map<String, AttributeValue> listed(String tenant, String id) {
    return at(list(tenant), Attributes.text(id));
  }

  /// The partition of a tenant's list.
  static AttributeValue list(String tenant) {
    return Attributes.text(tenant + LIST);
  }

  private static Map<String, AttributeValue> at(AttributeValue partition, AttributeValue sort) {
    return Map.of(RunItems.PK, partition, RunItems.SK, sort);
  }

  /// The item that opens. When the key was used is in that of the list alone.
  static Map<String, AttributeValue> opening(AccessKey key) {
    Map<String, AttributeValue> item = item(key, opening(key.hash()));
    item.put(ID, Attributes.text(key.id()));
    return item;
  }

  static Map<String, AttributeValue> listed(AccessKey key) {
    Map<String, AttributeValue> item = item(key, listed(key.tenant(), key.id()));
    item.put(HASH, Attributes.text(key.hash()));
    key.used().ifPresent(at -> item.put(USED_AT, time(at)));
    return item;
  }

  private static Map<String, AttributeValue> item(AccessKey key, Map<String, AttributeValue> at) {
    Map<String, AttributeValue> item = new HashMap<>(at);
    item.put(TENANT, Attributes.text(key.tenant()));
    key.name().ifPresent(name -> item.put(NAME, Attributes.text(name)));
    item.put(
        SCOPES, AttributeValue.fromSs(key.scopes().stream().map(Scope::wire).sorted().toList()));
    item.put(MADE_BY, Attributes.text(key.madeBy()));
    item.put(CREATED_AT, time(key.created()));
    key.expires().ifPresent(end -> item.put(EXPIRES_AT, time(end)));
    key.revoked().ifPresent(end -> item.put(REVOKED_AT, time(end)));
    key.forgettable().ifPresent(end -> item.put(Attributes.EXPIRES, Attributes.expiry(end)));
    return item;
  }

  /// The key of an item of a list.
  static AccessKey key(Map<String, AttributeValue> item) {
    return key(Attributes.textOf(item, HASH), Attributes.textOf(item, RunItems.SK), item);
  }

  /// The key of an item that opens.
  static AccessKey key(String hash, Map<String, AttributeValue> item) {
    return key(hash, Attributes.textOf(item, ID), item);
  }

  private static AccessKey key(String hash, String id, Map<String, AttributeValue> item) {
    return new AccessKey(
        hash,
        id,
        Attributes.textOf(item, TENANT),
        Optional.ofNullable(item.get(NAME)).map(AttributeValue::s),
        Attributes.of(item, SCOPES).ss().stream()
            .flatMap(name -> Scope.of(name).stream())
            .collect(Collectors.toSet()),
        Attributes.textOf(item, MADE_BY),
        instant(Attributes.of(item, CREATED_AT)),
        Optional.ofNullable(item.get(EXPIRES_AT)).map(KeyItems::instant),
        Optional.ofNullable(item.get(USED_AT)).map(KeyItems::instant),
        Optional.ofNullable(item.get(REVOKED_AT)).map(KeyItems::instant));
  }

  static AttributeValue time(Instant at) {
    return Attributes.number(at.toEpochMilli());
  }

  private static Instant instant(AttributeValue time) {
    return Instant.ofEpochMilli(Long.parseLong(time.n()));
  }
}
