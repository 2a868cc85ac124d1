package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a request asks for, by its method and path. Only what is listed here exists: nothing else
/// of the provider's host can be reached.
sealed interface CallTarget {
  /// An answer of a model.
  ///
  /// @param model if the path names it
  record Answer(ModelApi api, Optional<String> model) implements CallTarget {}

  /// Something about models that costs nothing: which there are, or how many tokens a text has.
  record Aside(ModelApi api, Optional<String> model) implements CallTarget {}

  /// The endpoint itself: an agent looks whether it is there.
  record Greeting() implements CallTarget {}

  record Refused(Refusal why) implements CallTarget {}

  String VERSION = "/v1(?:beta|alpha)?";
  String ID = "[A-Za-z0-9][A-Za-z0-9._:@-]*";
  Pattern ENDS_IN_VERSION = Pattern.compile("^(.*?)(?:" + VERSION + ")?$");
  Pattern POSTED =
      Pattern.compile(
          "(?:"
              + VERSION
              + ")?/(?:(responses(?:/compact)?)|(chat/completions)|(messages)|(messages/count_tokens)"
              + "|(?:models|tunedModels)/("
              + ID
              + "?):(generateContent|streamGenerateContent|countTokens))");
  Pattern PLAIN_FORM = Pattern.compile("|(?i:key)=.*|\\$?alt=(?:sse|json)");
  Pattern LISTED = Pattern.compile("(?:" + VERSION + ")?/models(?:/" + ID + "(?:/" + ID + ")?)?");

  /// What a request asks for.
  ///
  /// @param endpoint the path of the provider's endpoint
  /// @param path what follows the attempt's token, without the query
  static CallTarget of(String method, String endpoint, String path, ModelApi api) {
    Matcher base = ENDS_IN_VERSION.matcher(endpoint);
    String prefix = base.matches() ? base.group(1) : endpoint;
    boolean reads = method.equals("GET") || method.equals("HEAD");
    if (path.isEmpty() || path.equals("/") || path.equals(prefix) || path.equals(endpoint)) {
      return reads ? new Greeting() : wrongMethod("GET, HEAD");
    }
    if (!path.startsWith(prefix)) {
      return unknown();
    }
    String rest = path.substring(prefix.length());
    Matcher posted = POSTED.matcher(rest);
    if (posted.matches()) {
      return method.equals("POST") ? posted(posted) : wrongMethod("POST");
    }
    if (!LISTED.matcher(rest).matches()) {
      return unknown();
    }
    return reads ? new Aside(api, Optional.empty()) : wrongMethod("GET, HEAD");
  }

  private static CallTarget posted(Matcher path) {
    if (path.group(1) != null) {
      return new Answer(ModelApi.RESPONSES, Optional.empty());
    }
    if (path.group(2) != null) {
      return new Answer(ModelApi.CHAT_COMPLETIONS, Optional.empty());
    }
    if (path.group(3) != null) {
      return new Answer(ModelApi.MESSAGES, Optional.empty());
    }
    if (path.group(4) != null) {
      return new Aside(ModelApi.MESSAGES, Optional.empty());
    }
    Optional<String> model = Optional.of(path.group(5));
    return path.group(6).equals("countTokens")
        ? new Aside(ModelApi.GEMINI, model)
        : new Answer(ModelApi.GEMINI, model);
  }

  /// True if a query asks for an answer from which it could not be told what the call used: those
  /// of Google's APIs may leave out members, or come in another form.
  default boolean hidesUsage(String query) {
    return this instanceof Answer(ModelApi api, _)
        && api == ModelApi.GEMINI
        && !Arrays.stream(query.split("&", -1)).allMatch(PLAIN_FORM.asMatchPredicate());
  }

  private static CallTarget unknown() {
    return new Refused(
        new Refusal(404, "not_found", "There is nothing here but the API of the agent's models."));
  }

  private static CallTarget wrongMethod(String allowed) {
    return new Refused(
        new Refusal(
            405,
            "method_not_allowed",
            "Only %s can be used here.".formatted(allowed),
            Map.of("Allow", allowed)));
  }
}
