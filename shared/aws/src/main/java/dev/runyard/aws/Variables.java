package dev.runyard.aws;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Variables of an environment. One that is empty is not there; one that is wrong throws, naming
/// it.
record Variables(Map<String, String> env) {
  Variables {
    env = Map.copyOf(env);
  }

  Optional<String> optional(String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  String required(String name) {
    return optional(name).orElseThrow(() -> new IllegalStateException(name + " is not set"));
  }

  int number(String name, int least) {
    String text = required(name);
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalStateException(name + " is not a whole number: " + text, e);
    }
    throw new IllegalStateException(name + " is at least " + least + ", not " + text);
  }

  /// What commas separate.
  List<String> list(String name) {
    List<String> values =
        List.of(required(name).split(",")).stream()
            .map(String::strip)
            .filter(value -> !value.isEmpty())
            .toList();
    if (values.isEmpty()) {
      throw new IllegalStateException(name + " names nothing");
    }
    return values;
  }

  /// @param other counts where there is no `name`
  Optional<URI> uri(String name, String other) {
    return optional(name).or(() -> optional(other)).map(value -> parsed(name, value));
  }

  private static URI parsed(String name, String value) {
    URI uri;
    try {
      uri = URI.create(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(name + " is not a URL: " + value, e);
    }
    if (uri.getScheme() == null || uri.getHost() == null) {
      throw new IllegalStateException(name + " is not a URL: " + value);
    }
    return uri;
  }
}
