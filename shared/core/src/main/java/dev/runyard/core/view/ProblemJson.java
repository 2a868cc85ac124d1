package dev.runyard.core.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Locale;

/// A refusal as RFC 9457 problem details, with the stable `code` to program against, the `category`
/// that says who can mend it, and pointers to the offending members of the body.
public final class ProblemJson {
  public static final String CONTENT_TYPE = "application/problem+json";

  private ProblemJson() {}

  public static ObjectNode of(Problem problem) {
    ProblemCode code = problem.code();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "urn:runyard:problem:" + code.code().replace('_', '-'));
    json.put("title", title(code));
    json.put("status", code.status());
    json.put("detail", problem.detail());
    json.put("code", code.code());
    json.put("category", code.category().name().toLowerCase(Locale.ROOT));
    ArrayNode errors = json.putArray("errors");
    problem.pointers().forEach(pointer -> errors.addObject().put("pointer", pointer));
    return json;
  }

  private static String title(ProblemCode code) {
    String words = code.code().replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
