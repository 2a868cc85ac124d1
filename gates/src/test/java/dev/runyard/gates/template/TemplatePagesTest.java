package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What the template lets web pages of other origins do.
@Reads(SamTemplate.FILE)
final class TemplatePagesTest {
  private static final String NONE = "CorsOrigins";

  @Gate
  @Breach(replace = "'GET,POST,PATCH,DELETE'", by = "'GET'", named = "POST")
  @Breach(replace = "MaxAge: \"'7200'\"", by = "MaxAge: \"'0'\"", named = "'0'")
  @Breach(
      replace = "MaxAge: \"'7200'\"",
      by = "MaxAge: \"'7200'\"\n        AllowCredentials: true",
      named = "credentials")
  @Breach(replace = "'Authorization,Content-Type,", by = "'", named = "Authorization")
  void answersBrowsersForEveryMethodAndNeverForCookies(Repository repository) {
    var template = SamTemplate.of(repository);
    var cors = template.properties("Api").path("Cors");
    var methods = new TreeSet<String>();
    template.routes().keySet().forEach(route -> methods.add(route.split(" ", 2)[0]));
    methods.removeAll(words(cors.path("AllowMethods").asText()));
    assertEquals(Set.of(), methods);
    assertEquals("'7200'", cors.path("MaxAge").asText());
    assertFalse(cors.has("AllowCredentials"), "credentials are allowed");
    var headers = words(cors.path("AllowHeaders").asText());
    for (var needed :
        List.of("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID")) {
      assertTrue(headers.contains(needed), needed);
    }
  }

  @Gate
  @Breach(
      replace = "Default: \"\"\n    MaxLength: 2000",
      by = "Default: \"https://app.example.com\"\n    MaxLength: 2000",
      named = "https://app.example.com")
  @Breach(replace = "://[a-z0-9._:-]+(,", by = "://.*(,", named = "https://*")
  void listsOriginsAndNoPatternsOfThem(Repository repository) {
    var parameter = SamTemplate.of(repository).root().path("Parameters").path(NONE);
    assertEquals("", parameter.path("Default").asText());
    var allowed = Pattern.compile(parameter.path("AllowedPattern").asText());
    for (var good : List.of("", "https://a.example", "http://localhost:3000,https://b.example")) {
      assertTrue(allowed.matcher(good).matches(), good);
    }
    for (var bad : List.of("*", "https://*", "https://a.example/", "null", "https://a.example,")) {
      assertFalse(allowed.matcher(bad).matches(), bad);
    }
  }

  @Gate
  @Breach(
      replace =
          "DEFAULT_4XX:\n          ResponseParameters: { Headers: { Access-Control-Allow-Origin:",
      by = "DEFAULT_4XX:\n          ResponseParameters: { Headers: { X-Allow:",
      named = "DEFAULT_4XX")
  void letsPagesReadWhyTheGatewayRefuses(Repository repository) {
    var responses = SamTemplate.of(repository).properties("Api").path("GatewayResponses");
    for (var response : responses.properties()) {
      var headers = response.getValue().at("/ResponseParameters/Headers");
      assertTrue(headers.has("Access-Control-Allow-Origin"), response.getKey());
    }
  }

  private static Set<String> words(String quoted) {
    return Set.of(quoted.replace("'", "").split(","));
  }
}
