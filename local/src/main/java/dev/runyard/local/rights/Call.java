package dev.runyard.local.rights;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One API action requested by a role.
///
/// @param role the logical id of the role, or of the function whose role SAM creates
/// @param action such as `dynamodb:Query`
/// @param resource the ARN it is requested on, `*` if the action has none
/// @param facts values of its condition keys
public record Call(String role, String action, String resource, Map<String, String> facts) {

  public Call {
    facts = Map.copyOf(facts);
  }

  /// The same call on another resource.
  Call on(String other) {
    return new Call(role, action, other, facts);
  }

  /// The call on one line, as in a record.
  public String text() {
    return role
        + " "
        + action
        + " "
        + resource
        + new TreeMap<>(facts)
            .entrySet().stream()
                .map(fact -> " " + fact.getKey() + "=" + fact.getValue())
                .collect(Collectors.joining());
  }

  /// Reads what [#text] wrote.
  public static Call parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length < 3) {
      throw new IllegalArgumentException("not a call: " + text);
    }
    Map<String, String> facts = new LinkedHashMap<>();
    for (int i = 3; i < words.length; i++) {
      String[] fact = words[i].split("=", 2);
      if (fact.length != 2) {
        throw new IllegalArgumentException("not a call: " + text);
      }
      facts.put(fact[0], fact[1]);
    }
    return new Call(words[0], words[1], words[2], facts);
  }
}
