package dev.runyard.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a job is to be.
final class JobOptions {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Option(
      names = "--items",
      paramLabel = "FILE",
      description =
          "The items, one a line: an object whose members replace those of the request, or the"
              + " prompt as a JSON string.")
  private @Nullable Path items;

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "What all items have in common, as JSON.")
  private @Nullable Path request;

  @Option(names = "--agent", paramLabel = "KIND", description = "The agent of all items.")
  private @Nullable String agent;

  @Option(
      names = {"--id", "--resume"},
      paramLabel = "JOB",
      description = {
        "Id of the job; default: a new one.",
        "With that of an earlier command and the same options, it goes on where that one stopped.",
        "Without --items, run goes on with a job that has all of its items."
      })
  private @Nullable String id;

  @Option(
      names = "--task",
      paramLabel = "TASK",
      description = "Id of the task that the job is a part of.")
  private @Nullable String task;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "Most items that run at once; default: 10.")
  private @Nullable Integer concurrency;

  @Option(
      names = "--on-failed",
      paramLabel = "hold|finish",
      description =
          "Whether failed items leave the job blocked until they are retried or reported (hold,"
              + " the default).")
  private @Nullable String onFailed;

  @Option(
      names = "--max-minutes",
      paramLabel = "N",
      description = "Longest time from its start to its end.")
  private @Nullable Integer maxMinutes;

  @Option(
      names = "--job-max-tokens",
      paramLabel = "N",
      description = "Tokens of its runs after which it stops.")
  private @Nullable Long maxTokens;

  @Option(
      names = "--job-max-cost",
      paramLabel = "USD",
      description = "Dollars of its runs after which it stops.")
  private @Nullable Double maxCost;

  private String made = "";

  /// The id of the job, which stays the same.
  String id() {
    if (id != null) {
      return id;
    }
    if (made.isEmpty()) {
      made = "job-" + UUID.randomUUID();
    }
    return made;
  }

  /// True if the job has its items already.
  boolean isThere() {
    return items == null && id != null;
  }

  /// What it is created with, besides its id and its items.
  ///
  /// @throws IllegalArgumentException when a file cannot be read
  ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ObjectNode common = request == null ? JsonNodeFactory.instance.objectNode() : object(request);
    if (agent != null) {
      common.put("agent", agent);
    }
    body.set("request", common);
    if (task != null) {
      body.put("task_id", task);
    }
    if (concurrency != null) {
      body.put("concurrency", concurrency);
    }
    if (onFailed != null) {
      body.put("on_failed", onFailed);
    }
    if (maxMinutes != null) {
      body.put("max_runtime_seconds", 60L * maxMinutes);
    }
    if (maxTokens != null) {
      body.put("max_tokens", maxTokens);
    }
    if (maxCost != null) {
      body.put("max_cost_usd", maxCost);
    }
    return body;
  }

  /// The items, in order.
  ///
  /// @throws IllegalArgumentException when a line is no item
  List<ObjectNode> items() {
    if (items == null) {
      throw new IllegalArgumentException("--items is missing");
    }
    List<ObjectNode> read = new ArrayList<>();
    int number = 0;
    for (String line : lines(items)) {
      number++;
      if (!line.isBlank()) {
        read.add(item(line, number, items));
      }
    }
    if (read.isEmpty()) {
      throw new IllegalArgumentException(items + " has no items");
    }
    return read;
  }

  private static List<String> lines(Path items) {
    try {
      return Files.readAllLines(items);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + items + " as text", e);
    }
  }

  private static ObjectNode item(String line, int number, Path items) {
    try {
      JsonNode json = JSON.readTree(line);
      if (json instanceof ObjectNode object) {
        return object;
      }
      if (json.isTextual()) {
        return JsonNodeFactory.instance.objectNode().put("prompt", json.textValue());
      }
    } catch (JacksonException e) {
      throw new IllegalArgumentException("line %d of %s is no JSON".formatted(number, items), e);
    }
    throw new IllegalArgumentException(
        "line %d of %s must be a JSON object or string".formatted(number, items));
  }

  private static ObjectNode object(Path file) {
    try {
      if (JSON.readTree(Files.readString(file)) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + " as JSON", e);
    }
    throw new IllegalArgumentException(file + " is no JSON object");
  }
}
