package dev.runyard.cli.profile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.Identification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How profiles are written: an object of names, each with the server's URL and how to show who
/// calls it, `key`, `aws` or `none`.
final class ProfilesJson {
  private static final String PROFILES = "profiles";
  private static final String URL = "url";
  private static final String AUTHENTICATION = "authentication";
  private static final String KEY = "key";
  private static final String AWS = "aws";
  private static final String NONE = "none";
  private static final String AWS_PROFILE = "aws_profile";
  private static final String REGION = "region";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ProfilesJson() {}

  static Map<String, Profile> read(Path file, byte[] bytes) throws IOException {
    Map<String, Profile> profiles = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> entry : JSON.readTree(bytes).path(PROFILES).properties()) {
        profiles.put(entry.getKey(), profile(entry.getKey(), entry.getValue()));
      }
      return profiles;
    } catch (JacksonException _) {
      throw new IllegalStateException(
          file + " is no JSON; repair it, or remove it and log in again");
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(file + ": " + e.getMessage());
    }
  }

  private static Profile profile(String name, JsonNode json) {
    return new Profile(
        name,
        ServerAddress.read(json.path(URL).asText())
            .orElseThrow(
                () -> new IllegalArgumentException("the profile " + name + " has no usable url")),
        authentication(name, json));
  }

  private static Identification authentication(String name, JsonNode json) {
    return switch (json.path(AUTHENTICATION).asText()) {
      case KEY -> new Identification.Bearer(json.path(KEY).asText());
      case AWS ->
          new Identification.Aws(
              Optional.of(json.path(AWS_PROFILE).asText()).filter(text -> !text.isEmpty()),
              json.path(REGION).asText());
      case NONE -> new Identification.None();
      case String other ->
          throw new IllegalArgumentException(
              "the profile %s is authenticated in no known way: %s".formatted(name, other));
    };
  }

  static byte[] write(Map<String, Profile> profiles) throws IOException {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ObjectNode named = all.putObject(PROFILES);
    profiles.forEach((name, profile) -> named.set(name, json(profile)));
    return JSON.writeValueAsBytes(all);
  }

  private static ObjectNode json(Profile profile) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put(URL, profile.server().toString());
    switch (profile.authentication()) {
      case Identification.Bearer(String secret) -> json.put(AUTHENTICATION, KEY).put(KEY, secret);
      case Identification.Aws(var awsProfile, var region) -> {
        json.put(AUTHENTICATION, AWS).put(REGION, region);
        awsProfile.ifPresent(text -> json.put(AWS_PROFILE, text));
      }
      case Identification.None _ -> json.put(AUTHENTICATION, NONE);
    }
    return json;
  }
}
