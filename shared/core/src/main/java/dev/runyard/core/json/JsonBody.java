package dev.runyard.core.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// A request body, read strictly: one JSON object in well-formed UTF-8, without duplicate names,
/// with nothing after it, and with only valid Unicode without U+0000, which neither a process
/// argument nor an environment variable can contain. So it means the same to every reader.
public final class JsonBody {
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(Limits.BODY_DEPTH_MAX)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .build();

  private JsonBody() {}

  /// The result of reading a body.
  public sealed interface Result {
    record Read(ObjectNode object) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public static Result read(byte[] body) {
    return read(body, Limits.BODY_BYTES_MAX);
  }

  /// Reads a body that may have so many bytes.
  public static Result read(byte[] body, int bytesMax) {
    if (body.length > bytesMax) {
      return new Result.Rejected(
          Problem.of(
              ProblemCode.BODY_TOO_LARGE,
              "A request body has at most %d bytes.".formatted(bytesMax)));
    }
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      JsonNode root = JSON.readTree(text.toString());
      if (!(root instanceof ObjectNode object)) {
        return malformed("");
      }
      Optional<Problem> odd = oddText(object, "");
      return odd.isPresent() ? new Result.Rejected(odd.get()) : new Result.Read(object);
    } catch (CharacterCodingException _) {
      return malformed("");
    } catch (JacksonException e) {
      JsonLocation at = e.getLocation();
      return malformed(
          at == null
              ? ""
              : " The mistake is near line %d, column %d."
                  .formatted(at.getLineNr(), at.getColumnNr()));
    }
  }

  /// The object's JSON with its names sorted, the same for every spelling of the same object.
  public static byte[] canonical(ObjectNode object) {
    try {
      return JSON.writeValueAsBytes(object);
    } catch (JacksonException e) {
      throw new IllegalStateException("a tree that has no JSON form", e);
    }
  }

  private static Result malformed(String where) {
    return new Result.Rejected(
        Problem.of(
            ProblemCode.MALFORMED_JSON,
            "The body must be one JSON object in UTF-8, without duplicate names, at most %d levels deep.%s"
                .formatted(Limits.BODY_DEPTH_MAX, where)));
  }

  private static Optional<Problem> oddText(JsonNode node, String at) {
    if (node.isTextual() && odd(node.textValue())) {
      return Optional.of(odd(at, "This string"));
    }
    int index = 0;
    for (JsonNode item : node.isArray() ? node : JSON.missingNode()) {
      Optional<Problem> problem = oddText(item, Pointer.child(at, String.valueOf(index++)));
      if (problem.isPresent()) {
        return problem;
      }
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      Optional<Problem> problem =
          odd(member.getKey())
              ? Optional.of(odd(at, "A name in this object"))
              : oddText(member.getValue(), Pointer.child(at, member.getKey()));
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static boolean odd(String text) {
    return text.indexOf('\0') >= 0 || !Bounds.isWellFormed(text);
  }

  private static Problem odd(String at, String what) {
    return Problem.at(
        ProblemCode.INVALID_REQUEST, at, what + " has a lone surrogate or the character U+0000.");
  }
}
