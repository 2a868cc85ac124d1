package dev.runyard.agent.channel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.runyard.core.json.JsonFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The form of messages between a runner and the process of an agent: a JSON object with one
/// member, named by the kind of message. It is written in ASCII, so that any text comes out of it
/// as it went in, whatever it has in place of characters.
///
/// A message of an agent that is longer than a line is written as several lines, all but the last
/// of which begin with [#MORE]. A runner's message is one line of any length.
public final class Channel {
  /// Bytes of an agent's line, without its end.
  public static final int LINE_BYTES_MAX = 512 * 1024;

  /// Bytes of an agent's message. An event that is longer is replaced by a note of its size.
  public static final int MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

  /// The beginning of a line whose message goes on in the next one.
  static final char MORE = '+';

  private static final ObjectWriter WRITER =
      JsonFormat.JSON.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

  private Channel() {}

  /// A message as one line without its end.
  static String written(String kind, JsonNode content) {
    try {
      return WRITER.writeValueAsString(JsonFormat.JSON.createObjectNode().set(kind, content));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a message has no JSON form: " + kind, e);
    }
  }

  /// A message cut into lines of at most [#LINE_BYTES_MAX].
  public static List<String> lines(String message) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (; message.length() - from > LINE_BYTES_MAX; from += LINE_BYTES_MAX - 1) {
      lines.add(MORE + message.substring(from, from + LINE_BYTES_MAX - 1));
    }
    lines.add(message.substring(from));
    return lines;
  }

  /// Puts the lines of an agent's messages together again. Not thread-safe.
  public static final class Lines {
    private final StringBuilder begun = new StringBuilder();

    /// The message that ends with this line.
    public Read add(String line) {
      boolean more = !line.isEmpty() && line.charAt(0) == MORE;
      if (begun.length() + line.length() > MESSAGE_BYTES_MAX) {
        return new Read.Broken();
      }
      if (!more && begun.isEmpty()) {
        return read(line);
      }
      begun.append(line, more ? 1 : 0, line.length());
      if (more) {
        return new Read.Unfinished();
      }
      String whole = begun.toString();
      begun.setLength(0);
      return read(whole);
    }

    private static Read read(String message) {
      return FromAgentJson.read(message).<Read>map(Read.Whole::new).orElseGet(Read.Broken::new);
    }
  }

  /// What a line was.
  public sealed interface Read {
    record Whole(FromAgent message) implements Read {}

    /// The message goes on.
    record Unfinished() implements Read {}

    /// No agent's process writes this by itself.
    record Broken() implements Read {}
  }

  /// The only member of a message.
  record Member(String kind, JsonNode content) {
    static Optional<Member> of(String message) throws JsonProcessingException {
      return of(JsonFormat.JSON.readTree(message));
    }

    static Optional<Member> of(JsonNode json) {
      return json.isObject() && json.size() == 1
          ? json.properties().stream()
              .findFirst()
              .map(member -> new Member(member.getKey(), member.getValue()))
          : Optional.empty();
    }
  }

  /// The JSON of records, without what they lack. It is set up when it is first used, which a
  /// process that lives for one run may never do.
  static final class Records {
    private static final ObjectMapper JSON =
        JsonFormat.JSON.copy().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    private Records() {}

    static JsonNode write(Object record) {
      return JSON.valueToTree(record);
    }

    static <T> T read(JsonNode json, Class<T> type) throws JsonProcessingException {
      return JSON.treeToValue(json, type);
    }
  }
}
