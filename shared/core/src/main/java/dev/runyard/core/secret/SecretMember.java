package dev.runyard.core.secret;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.util.Optional;

/// The part of a secret's text that its source means.
public final class SecretMember {
  private SecretMember() {}

  /// What a source means of all that is kept in its place.
  public static Fetched of(SecretSource source, Fetched all) {
    return source instanceof SecretSource.Managed(_, Optional<String> member)
            && member.isPresent()
            && all instanceof Fetched.Value(String text)
        ? member(text, member.get())
        : all;
  }

  /// No message of the parser is kept: it would repeat the text.
  private static Fetched member(String text, String name) {
    try {
      JsonNode member = JsonFormat.JSON.readTree(text).path(name);
      return member.isTextual() || member.isNumber()
          ? SecretVault.checked(member.asText())
          : new Fetched.Unavailable(SecretTrouble.NO_MEMBER);
    } catch (JacksonException _) {
      return new Fetched.Unavailable(SecretTrouble.NO_MEMBER);
    }
  }
}
