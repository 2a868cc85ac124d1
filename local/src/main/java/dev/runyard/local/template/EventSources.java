package dev.runyard.local.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the `Events` of a function. The properties of each event type are a closed list: one that
/// would change when or with what a function is called must not be ignored.
final class EventSources {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> API =
      Set.of("Path", "Method", "RestApiId", "Auth", "ResponseTransferMode", "TimeoutInMillis");
  private static final Set<String> STREAM =
      Set.of(
          "Stream",
          "Enabled",
          "StartingPosition",
          "BatchSize",
          "MaximumBatchingWindowInSeconds",
          "FilterCriteria",
          "FunctionResponseTypes",
          "BisectBatchOnFunctionError",
          "MaximumRetryAttempts",
          "MaximumRecordAgeInSeconds",
          "ParallelizationFactor",
          "DestinationConfig",
          "MetricsConfig");
  private static final Set<String> QUEUE =
      Set.of(
          "Queue",
          "Enabled",
          "BatchSize",
          "MaximumBatchingWindowInSeconds",
          "FilterCriteria",
          "FunctionResponseTypes",
          "ScalingConfig",
          "MetricsConfig");
  private static final Set<String> SCHEDULE =
      Set.of(
          "Schedule",
          "ScheduleExpression",
          "Input",
          "Enabled",
          "State",
          "Name",
          "Description",
          "RetryPolicy",
          "DeadLetterConfig",
          "FlexibleTimeWindow");

  private final Blueprint blueprint;

  EventSources(Blueprint blueprint) {
    this.blueprint = blueprint;
  }

  List<EventSource> of(String function, JsonNode events) {
    List<EventSource> sources = new ArrayList<>();
    for (Map.Entry<String, JsonNode> event : events.properties()) {
      String name = function + "." + event.getKey();
      String type = event.getValue().path("Type").asText();
      JsonNode properties = blueprint.resolve(event.getValue().path("Properties"));
      if (!properties.path("Enabled").asBoolean(true)
          || properties.path("State").asText().equals("DISABLED")) {
        continue;
      }
      sources.add(
          switch (type) {
            case "Api" -> route(name, known(name, properties, API));
            case "DynamoDB" -> stream(name, known(name, properties, STREAM));
            case "SQS" -> queue(name, known(name, properties, QUEUE));
            case "Schedule", "ScheduleV2" -> schedule(name, known(name, properties, SCHEDULE));
            default ->
                throw new TemplateException(name + " is an event of unsupported type " + type);
          });
    }
    return sources;
  }

  private static EventSource route(String name, JsonNode properties) {
    String mode = properties.path("ResponseTransferMode").asText("BUFFERED");
    if (!Set.of("BUFFERED", "RESPONSE_STREAM").contains(mode)) {
      throw new TemplateException(name + " has an unknown ResponseTransferMode " + mode);
    }
    String method = properties.path("Method").asText().toUpperCase(Locale.ROOT);
    return new EventSource.ApiRoute(
        method.equals("*") ? "ANY" : method,
        properties.path("Path").asText(),
        mode.equals("RESPONSE_STREAM"),
        isOpen(name, properties.path("Auth")));
  }

  /// A route is as all others, or open; any other choice would be ignored here.
  private static boolean isOpen(String name, JsonNode auth) {
    if (auth.isMissingNode()) {
      return false;
    }
    if (auth.size() != 1 || !auth.path("Authorizer").asText().equals("NONE")) {
      throw new TemplateException(name + " has an Auth that the local stack does not know");
    }
    return true;
  }

  private EventSource stream(String name, JsonNode properties) {
    String arn = properties.path("Stream").asText();
    String table =
        blueprint
            .byArn(ResourceKind.TABLE, "StreamArn", arn)
            .orElseThrow(() -> new TemplateException(name + " reads an unknown stream " + arn));
    return new EventSource.TableStream(
        table,
        startingPosition(name, properties.path("StartingPosition").asText()),
        properties.path("BatchSize").asInt(100),
        seconds(properties, "MaximumBatchingWindowInSeconds").orElse(Duration.ZERO),
        filters(name, properties),
        partialResponses(properties),
        properties.path("BisectBatchOnFunctionError").asBoolean(false),
        limit(properties, "MaximumRetryAttempts"),
        limit(properties, "MaximumRecordAgeInSeconds").map(Duration::ofSeconds),
        onFailure(name, properties));
  }

  private static EventSource.StartingPosition startingPosition(String name, String position) {
    return switch (position) {
      case "TRIM_HORIZON" -> EventSource.StartingPosition.TRIM_HORIZON;
      case "LATEST" -> EventSource.StartingPosition.LATEST;
      default -> throw new TemplateException(name + " has StartingPosition " + position);
    };
  }

  private Optional<String> onFailure(String name, JsonNode properties) {
    JsonNode destination = properties.path("DestinationConfig").path("OnFailure");
    if (destination.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(queueId(name, destination.path("Destination").asText()));
  }

  private EventSource queue(String name, JsonNode properties) {
    return new EventSource.QueueMessages(
        queueId(name, properties.path("Queue").asText()),
        properties.path("BatchSize").asInt(10),
        seconds(properties, "MaximumBatchingWindowInSeconds").orElse(Duration.ZERO),
        filters(name, properties),
        partialResponses(properties));
  }

  private String queueId(String name, String arn) {
    return blueprint
        .byArn(ResourceKind.QUEUE, "Arn", arn)
        .orElseThrow(() -> new TemplateException(name + " names an unknown queue " + arn));
  }

  private static EventSource schedule(String name, JsonNode properties) {
    JsonNode expression =
        properties.has("Schedule")
            ? properties.get("Schedule")
            : properties.path("ScheduleExpression");
    JsonNode input = properties.path("Input");
    return new EventSource.Schedule(
        name,
        expression.asText(),
        input.isTextual() ? Optional.of(json(name, input.textValue())) : Optional.empty());
  }

  private static List<JsonNode> filters(String name, JsonNode properties) {
    List<JsonNode> patterns = new ArrayList<>();
    for (JsonNode filter : properties.path("FilterCriteria").path("Filters")) {
      patterns.add(json(name, filter.path("Pattern").asText()));
    }
    return patterns;
  }

  private static JsonNode json(String name, String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new TemplateException(name + " holds text that is not JSON: " + text, e);
    }
  }

  private static boolean partialResponses(JsonNode properties) {
    return properties
        .path("FunctionResponseTypes")
        .valueStream()
        .anyMatch(type -> type.asText().equals("ReportBatchItemFailures"));
  }

  private static Optional<Duration> seconds(JsonNode properties, String field) {
    return limit(properties, field).map(Duration::ofSeconds);
  }

  /// -1 and absence both mean that there is no limit.
  private static Optional<Integer> limit(JsonNode properties, String field) {
    JsonNode value = properties.path(field);
    if (value.isMissingNode() || value.asInt() == -1) {
      return Optional.empty();
    }
    return Optional.of(value.asInt());
  }

  private static JsonNode known(String name, JsonNode properties, Set<String> names) {
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      if (!names.contains(property.getKey())) {
        throw new TemplateException(
            name + " has the property " + property.getKey() + ", which the local stack ignores");
      }
    }
    return properties;
  }
}
