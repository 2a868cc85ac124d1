package dev.runyard.local.emulator;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The actions a DynamoDB request needs. A transaction needs those of its parts; a call that names
/// no table needs them on everything.
final class TableAsks {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// The names of a transaction's parts, and the action each needs.
  private static final Map<String, String> PARTS =
      Map.of(
          "Put", "PutItem",
          "Update", "UpdateItem",
          "Delete", "DeleteItem",
          "Get", "GetItem",
          "ConditionCheck", "ConditionCheckItem");

  private static final Set<String> MEMBERS =
      Set.of(
          "TableName",
          "Key",
          "IndexName",
          "KeyConditionExpression",
          "ExpressionAttributeValues",
          "TransactItems",
          "RequestItems");

  private static final Pattern QUERIED = Pattern.compile("pk = (:\\w+)");

  /// How the names of partitions begin that belong to no tenant, but to one key or runner each.
  private static final List<String> OF_ONE = List.of("key#", "stream#", "wakeup#runner-");

  private static final Pattern OF_A_TENANT = Pattern.compile("[^#]+(#[a-z]+)(#.+)?");

  private TableAsks() {}

  /// @param target the request's `X-Amz-Target`: version, dot, operation
  static List<Asked> of(String target, byte[] body) throws IOException {
    String operation = target.substring(target.lastIndexOf('.') + 1);
    boolean deletes = operation.equals("DeleteItem");
    JsonNode request = named(body, deletes ? "Key" : "Item");
    List<Asked> asked = new ArrayList<>();
    for (JsonNode part : request.path("TransactItems")) {
      part.properties()
          .forEach(
              one ->
                  asked.add(ask(PARTS.getOrDefault(one.getKey(), one.getKey()), one.getValue())));
    }
    for (Map.Entry<String, JsonNode> table : request.path("RequestItems").properties()) {
      asked.add(Asked.of("dynamodb:" + operation, arn(table.getKey())));
    }
    if (asked.isEmpty()) {
      asked.add(ask(operation, request));
    }
    return asked;
  }

  /// The members that say what is asked for. Of an item only its key is read: the rest may be 400
  /// KB, and is there for each of its requests.
  ///
  /// @param item the member that has the item, or its key
  private static ObjectNode named(byte[] body, String item) throws IOException {
    ObjectNode named = JSON.createObjectNode();
    try (JsonParser json = JSON.createParser(body)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String member = json.currentName();
        json.nextToken();
        if (member.equals(item)) {
          named.set(member, key(json));
        } else if (MEMBERS.contains(member)) {
          named.set(member, JSON.readTree(json));
        } else {
          json.skipChildren();
        }
      }
    }
    return named;
  }

  private static ObjectNode key(JsonParser item) throws IOException {
    ObjectNode key = JSON.createObjectNode();
    while (item.nextToken() == JsonToken.FIELD_NAME) {
      String attribute = item.currentName();
      item.nextToken();
      if (attribute.equals("pk")) {
        key.set(attribute, JSON.readTree(item));
      } else {
        item.skipChildren();
      }
    }
    return key;
  }

  private static Asked ask(String operation, JsonNode request) {
    JsonNode table = request.path("TableName");
    JsonNode index = request.path("IndexName");
    String arn = table.isTextual() ? arn(table.textValue()) : "*";
    return new Asked(
        "dynamodb:" + operation,
        index.isTextual() ? arn + "/index/" + index.textValue() : arn,
        partition(request).map(key -> Map.of("dynamodb:LeadingKeys", key)).orElse(Map.of()));
  }

  /// The partition, if its key is a fixed name, else its kind: keys of tenants are too many to be
  /// recorded, and rights are limited to kinds of partitions, not to one of them.
  private static Optional<String> partition(JsonNode request) {
    JsonNode named = request.has("Key") ? request.path("Key") : request.path("Item");
    String key = named.path("pk").path("S").asText();
    Matcher queried = QUERIED.matcher(request.path("KeyConditionExpression").asText());
    if (queried.lookingAt()) {
      JsonNode values = request.path("ExpressionAttributeValues");
      key = values.path(queried.group(1)).path("S").asText();
    }
    return kind(key);
  }

  private static Optional<String> kind(String key) {
    for (String beginning : OF_ONE) {
      if (key.startsWith(beginning)) {
        return Optional.of(beginning + "*");
      }
    }
    Matcher ofTenant = OF_A_TENANT.matcher(key);
    if (ofTenant.matches()) {
      return Optional.of("*" + ofTenant.group(1) + (ofTenant.group(2) == null ? "" : "#*"));
    }
    return Optional.of(key).filter(fixed -> !fixed.isEmpty() && !fixed.contains("#"));
  }

  private static String arn(String table) {
    return table.startsWith("arn:") ? table : PseudoParameters.arn("dynamodb", "table/" + table);
  }
}
