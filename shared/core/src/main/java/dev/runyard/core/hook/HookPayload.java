package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// What a delivery says: a JSON object, read as strictly as a request. A form is the object of its
/// fields, or the JSON in its field `payload`, as GitHub and Slack send it.
record HookPayload(ObjectNode json, HookRequest request) {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String IN_FORM = "payload";
  private static final int FIELDS_MAX = 256;

  /// The result of reading a body.
  sealed interface Result {
    record Read(HookPayload payload) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  static Result read(HookRequest request) {
    byte[] body = request.body();
    if (request.contentType().equals(FORM)) {
      return form(request, new String(body, StandardCharsets.ISO_8859_1));
    }
    return json(request, body);
  }

  private static Result json(HookRequest request, byte[] body) {
    return switch (JsonBody.read(body, HookLimits.DELIVERY_BYTES_MAX)) {
      case JsonBody.Result.Read(ObjectNode object) ->
          new Result.Read(new HookPayload(object, request));
      case JsonBody.Result.Rejected(Problem problem) -> new Result.Rejected(problem);
    };
  }

  private static Result form(HookRequest request, String body) {
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    try {
      for (String field : body.split("&", FIELDS_MAX + 1)) {
        int at = field.indexOf('=');
        String name = decoded(at < 0 ? field : field.substring(0, at));
        if (fields.size() >= FIELDS_MAX || fields.has(name)) {
          return new Result.Rejected(
              Problem.of(
                  ProblemCode.INVALID_REQUEST,
                  "A form has at most %d fields, each once.".formatted(FIELDS_MAX)));
        }
        fields.put(name, at < 0 ? "" : decoded(field.substring(at + 1)));
      }
    } catch (CharacterCodingException | NumberFormatException | IndexOutOfBoundsException _) {
      return new Result.Rejected(
          Problem.of(ProblemCode.INVALID_REQUEST, "The form is not encoded as forms are."));
    }
    JsonNode inside = fields.path(IN_FORM);
    String text = inside.isTextual() ? inside.textValue() : fields.toString();
    return json(request, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) throws CharacterCodingException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes.toByteArray()))
        .toString();
  }
}
