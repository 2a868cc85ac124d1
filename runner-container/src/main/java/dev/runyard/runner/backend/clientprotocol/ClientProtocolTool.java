package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A tool call as an agent describes it, possibly several times. Agents name tools differently: by
/// their own name outside the protocol, by what the tool does, or only in a title for people.
record ClientProtocolTool(JsonNode json) {
  private static final String ANY = "other";
  private static final String NAMELESS = "tool";

  /// Characters of what is remembered of a call for a question that does not repeat it.
  static final int OUTLINE_CHARS_MAX = 32 * 1024;

  private static final List<String> TELLING_APART =
      List.of("title", "locations", "content", "rawInput", "sha256");
  private static final List<String> OUTLINING =
      List.of("title", "kind", "locations", "content", "rawInput", "sha256");
  private static final String PENDING = "pending";

  /// The members of an input that are most informative for people.
  private static final List<String> TELLING = List.of("command", "file_path", "path", "url");

  private static final Set<String> CHANGING = Set.of("edit", "delete");

  private static final List<String> COUNTING =
      List.of("call_id", "turn_id", "process_id", "started_at_ms");
  private static final List<String> OUTPUTS =
      List.of("aggregated_output", "formatted_output", "output", "stdout", "content", "error");
  private static final List<String> EXIT_CODES =
      List.of("/exit_code", "/exitCode", "/metadata/exit");

  static ClientProtocolTool of(JsonNode json) {
    return new ClientProtocolTool(json);
  }

  /// A tool that has not begun, because its agent asks whether it may.
  static ClientProtocolTool asked(JsonNode json) {
    return json instanceof ObjectNode asked && asked.path("status").asText("").isEmpty()
        ? new ClientProtocolTool(copy(asked).put("status", PENDING))
        : new ClientProtocolTool(json);
  }

  String id() {
    return json.path("toolCallId").asText("");
  }

  /// What the tool does: `read`, `edit`, `execute` and the like.
  String kind() {
    return json.path("kind").asText("");
  }

  private String ownName() {
    return json.at("/_meta/claudeCode/toolName").asText(json.at("/_meta/toolName").asText(""));
  }

  String name() {
    if (!ownName().isEmpty()) {
      return ownName();
    }
    return kind().isEmpty() || kind().equals(ANY) ? json.path("title").asText(NAMELESS) : kind();
  }

  /// For people: what the tool does.
  String telling() {
    for (String member : TELLING) {
      if (json.path("rawInput").path(member).isTextual()) {
        return json.path("rawInput").path(member).textValue();
      }
    }
    String title = json.path("title").asText("");
    return title.isEmpty() ? input().toString() : title;
  }

  /// The tool's input, without mere counters, or else its title.
  ObjectNode input() {
    return hasInput() && json.path("rawInput") instanceof ObjectNode raw
        ? raw.deepCopy().remove(COUNTING)
        : title();
  }

  boolean hasInput() {
    return json.path("rawInput").properties().stream()
        .anyMatch(member -> !COUNTING.contains(member.getKey()));
  }

  private ObjectNode title() {
    return ClientProtocolLines.object().put("title", json.path("title").asText(""));
  }

  /// The tool's input for whoever decides whether it may be used, with the changes that the agent
  /// shows; without an input, all that it says of the call, since two calls may have the same
  /// title. Of what is too large to be shown it has the files, and a hash that tells it apart.
  JsonNode question() {
    ObjectNode question = input();
    show(question, "sha256", json.path("sha256"));
    if (hasInput()) {
      show(question, "diffs", diffs());
    } else {
      List.of("rawInput", "locations", "content")
          .forEach(member -> show(question, member, json.path(member)));
    }
    if (fits(question)) {
      return question;
    }
    ObjectNode changes = ClientProtocolLines.object();
    ArrayNode files = changes.putArray("files");
    edits(true).forEach(edit -> files.add(edit.path()));
    changes.put("sha256", Digest.hex(question.toString()));
    ObjectNode brief = input().set("diffs", changes);
    return fits(brief) ? brief : title().set("diffs", changes);
  }

  private static void show(ObjectNode question, String member, JsonNode value) {
    if (!empty(value) && !question.has(member)) {
      question.set(member, value);
    }
  }

  private static boolean fits(JsonNode question) {
    return Bounds.bytes(question.toString()) <= CliQuestions.INPUT_BYTES_MAX;
  }

  private ArrayNode diffs() {
    ArrayNode diffs = JsonNodeFactory.instance.arrayNode();
    for (JsonNode part : json.path("content")) {
      if (part.path("type").asText("").equals("diff")) {
        diffs.add(part);
      }
    }
    return diffs;
  }

  /// Whether it says by itself which tool is used and for what. A request for permission may name
  /// no more than the id of a call that the agent told of before.
  boolean tells() {
    return !name().equals(NAMELESS) && hasInput();
  }

  /// The same with a title, where nothing tells the call from others.
  ClientProtocolTool titled(String title) {
    boolean apart = TELLING_APART.stream().anyMatch(each -> !empty(json.path(each)));
    return apart ? this : new ClientProtocolTool(copy(json).put("title", title));
  }

  /// What was said of the call's purpose so far, as compact JSON; of what is too long only a hash.
  ///
  /// @param before the outline of earlier descriptions
  /// @param begun whether the tool has begun, so that its content is what came of it
  String outline(String before, boolean begun) {
    ClientProtocolTool said = begun ? new ClientProtocolTool(copy(json).without("content")) : this;
    if (OUTLINING.stream().allMatch(each -> empty(said.json.path(each))) && ownName().isEmpty()) {
      return before;
    }
    ClientProtocolTool whole = said.over(before);
    ObjectNode outline = ClientProtocolLines.object();
    for (String member : OUTLINING) {
      if (!empty(whole.json.path(member))) {
        outline.set(member, whole.json.path(member));
      }
    }
    if (!whole.ownName().isEmpty()) {
      outline.putObject("_meta").put("toolName", whole.ownName());
    }
    String text = outline.toString();
    return text.length() <= OUTLINE_CHARS_MAX ? text : whole.digest(text);
  }

  private String digest(String outline) {
    ObjectNode digest = ClientProtocolLines.object();
    digest.put("title", Bounds.truncate(Bounds.wellFormed(telling()), Bounds.CHANNEL_BYTES_MAX));
    digest.put("kind", Bounds.truncate(Bounds.wellFormed(kind()), Bounds.CHANNEL_BYTES_MAX));
    return digest.put("sha256", Digest.hex(outline)).toString();
  }

  /// The same with an outline's members that it lacks or leaves empty.
  ClientProtocolTool over(String outline) {
    ObjectNode whole = read(outline);
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      if (!empty(member.getValue()) && !(member.getKey().equals("_meta") && ownName().isEmpty())) {
        whole.set(member.getKey(), member.getValue());
      }
    }
    return new ClientProtocolTool(whole);
  }

  private static ObjectNode read(String outline) {
    try {
      return JsonFormat.JSON.readValue(outline, ObjectNode.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("an outline is an object", e);
    }
  }

  private static ObjectNode copy(JsonNode json) {
    ObjectNode copy = ClientProtocolLines.object();
    json.properties().forEach(member -> copy.set(member.getKey(), member.getValue()));
    return copy;
  }

  private static boolean empty(JsonNode member) {
    return member.isNull()
        || member.isMissingNode()
        || (member.isContainerNode() && member.isEmpty())
        || (member.isTextual() && member.asText().isEmpty());
  }

  /// Its status: `pending`, `in_progress`, `completed`, `failed`, or empty if unchanged.
  String status() {
    return json.path("status").asText("");
  }

  /// Its result, as far as this description has it. Before a tool has begun, its content describes
  /// what it will do; an empty content replaces the previous one.
  Optional<ToolCalls.Result> result(boolean failed) {
    String text = output();
    Integer exitCode = exitCode();
    boolean emptied = json.path("content").isArray() && json.path("content").isEmpty();
    return text.isEmpty() && exitCode == null && !emptied
        ? Optional.empty()
        : Optional.of(new ToolCalls.Result(failed, exitCode, text, Bounds.bytes(text)));
  }

  /// The files it changes, as far as this description has them: by their contents before and after,
  /// or else by the tool's locations.
  ///
  /// @param unsure whether its agent says of any file that it did not exist
  List<FileEdit> edits(boolean unsure) {
    List<FileEdit> edits = new ArrayList<>();
    for (JsonNode part : json.path("content")) {
      if (part.path("type").asText("").equals("diff") && part.path("path").isTextual()) {
        edits.add(new FileEdit(part.path("path").textValue(), change(part, unsure)));
      }
    }
    if (edits.isEmpty() && CHANGING.contains(kind())) {
      FileChange change = kind().equals("delete") ? FileChange.DELETED : null;
      json.path("locations")
          .forEach(place -> edits.add(new FileEdit(place.path("path").asText(""), change)));
      edits.removeIf(edit -> edit.path().isBlank());
    }
    return edits.stream().distinct().toList();
  }

  /// Whether its agent says of any file that it did not exist, as Claude's does, which not all of
  /// its messages show.
  boolean unsure() {
    return json.at("/_meta/claudeCode").isObject();
  }

  /// A file without previous contents did not exist.
  private @Nullable FileChange change(JsonNode diff, boolean unsure) {
    JsonNode before = diff.path("oldText");
    if (kind().equals("delete")) {
      return FileChange.DELETED;
    }
    if (before.isTextual()) {
      return before.asText().isEmpty() ? null : FileChange.MODIFIED;
    }
    return unsure ? null : FileChange.CREATED;
  }

  private @Nullable Integer exitCode() {
    for (String pointer : EXIT_CODES) {
      JsonNode code = json.path("rawOutput").at(pointer);
      if (code.isInt()) {
        return code.intValue();
      }
    }
    return null;
  }

  private String output() {
    JsonNode raw = json.path("rawOutput");
    if (raw.isTextual()) {
      return raw.textValue();
    }
    for (String member : OUTPUTS) {
      if (raw.path(member).isTextual() && !raw.path(member).textValue().isEmpty()) {
        return raw.path(member).textValue();
      }
    }
    StringBuilder text = new StringBuilder();
    for (JsonNode part : json.path("content")) {
      String said =
          switch (part.path("type").asText("")) {
            case "content" -> status().equals(PENDING) ? "" : part.at("/content/text").asText("");
            case "diff" -> "changed " + part.path("path").asText("");
            default -> "";
          };
      text.append(text.isEmpty() || said.isEmpty() ? "" : "\n").append(said);
    }
    return text.toString();
  }
}
