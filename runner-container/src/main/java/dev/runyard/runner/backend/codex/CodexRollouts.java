package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.usage.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Codex's records of its conversations, one file each.
record CodexRollouts(Path sessions) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern FILE =
      Pattern.compile("rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.jsonl");
  private static final int DEPTH_MAX = 4;

  /// The record of a conversation.
  record Rollout(String id, Path file, FileTime written) {}

  Optional<Rollout> find(String id) throws IOException {
    return all().stream().filter(rollout -> rollout.id().equals(id)).findFirst();
  }

  /// The newest one that does not belong to an agent's own helper.
  Optional<Rollout> newest() throws IOException {
    List<Rollout> newestFirst =
        all().stream().sorted(Comparator.comparing(Rollout::written).reversed()).toList();
    for (Rollout rollout : newestFirst) {
      if (!head(rollout.file()).at("/payload/parent_thread_id").isTextual()) {
        return Optional.of(rollout);
      }
    }
    return Optional.empty();
  }

  /// The total usage of the conversation.
  static Usage used(Rollout rollout) throws IOException {
    Usage used = Usage.NONE;
    try (BufferedReader lines = Files.newBufferedReader(rollout.file())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("\"token_count\"")) {
          JsonNode total = tree(line).at("/payload/info/total_token_usage");
          used = total.isObject() ? usage(total) : used;
        }
      }
    }
    return used;
  }

  /// True when a line of the record contains the text.
  static boolean mentions(Rollout rollout, String text) throws IOException {
    try (Stream<String> lines = Files.lines(rollout.file(), StandardCharsets.ISO_8859_1)) {
      return lines.anyMatch(line -> line.contains(text));
    }
  }

  /// Reads counts in the form of Codex's records and of the output of `codex exec`.
  static Usage usage(JsonNode counts) {
    return new Usage(
        counts.path("input_tokens").asLong(),
        counts.path("cached_input_tokens").asLong(),
        counts.path("output_tokens").asLong(),
        counts.path("reasoning_output_tokens").asLong(),
        null);
  }

  private List<Rollout> all() throws IOException {
    List<Rollout> rollouts = new ArrayList<>();
    if (Files.isDirectory(sessions)) {
      try (Stream<Path> files = Files.walk(sessions, DEPTH_MAX)) {
        for (Path file : files.toList()) {
          Matcher name = FILE.matcher(file.getFileName().toString());
          if (name.matches()) {
            rollouts.add(new Rollout(name.group(1), file, Files.getLastModifiedTime(file)));
          }
        }
      }
    }
    return rollouts;
  }

  private static JsonNode head(Path file) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line = lines.readLine();
      return line == null ? MissingNode.getInstance() : tree(line);
    }
  }

  private static JsonNode tree(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
