package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What an agent may reach over the network: `"open"`, `"none"`, or a list of hosts. The machine
/// itself is always within reach, because an agent's own parts talk to each other over it.
public sealed interface NetworkAccess {
  int HOSTS_MAX = 64;
  int HOST_BYTES_MAX = 260;

  /// Everything the runner itself reaches.
  record Open() implements NetworkAccess {}

  /// Hosts by name or IPv4 address, `*.` before a name for all below it, with ports 80 and 443 or
  /// the one named. No hosts is nothing but the machine itself.
  record Hosts(List<String> hosts) implements NetworkAccess {
    public static final Hosts NONE = new Hosts(List.of());

    public Hosts {
      hosts = List.copyOf(hosts);
    }
  }

  /// Reads the JSON form; empty if it is none.
  static Optional<NetworkAccess> read(JsonNode value) {
    if (value.isTextual()) {
      return switch (value.textValue()) {
        case "open" -> Optional.of(new Open());
        case "none" -> Optional.of(Hosts.NONE);
        case String _ -> Optional.empty();
      };
    }
    if (!value.isArray() || value.isEmpty() || value.size() > HOSTS_MAX) {
      return Optional.empty();
    }
    List<String> hosts = new ArrayList<>();
    for (JsonNode host : value) {
      String name = host.isTextual() ? host.textValue().toLowerCase(Locale.ROOT) : "";
      if (name.length() > HOST_BYTES_MAX || !Form.HOST.matcher(name).matches()) {
        return Optional.empty();
      }
      hosts.add(name);
    }
    return Optional.of(new Hosts(hosts));
  }

  /// True if it is less than the runner itself reaches.
  default boolean confines() {
    return switch (this) {
      case Open _ -> false;
      case Hosts _ -> true;
    };
  }

  /// True if whoever has this access may do all that the other one allows.
  default boolean covers(NetworkAccess other) {
    return switch (this) {
      case Open _ -> true;
      case Hosts(List<String> own) ->
          switch (other) {
            case Open _ -> false;
            case Hosts(List<String> hosts) ->
                hosts.stream().allMatch(host -> own.stream().anyMatch(rule -> covers(rule, host)));
          };
    };
  }

  private static boolean covers(String rule, String host) {
    return rule.equals(host)
        || (rule.startsWith("*.")
            && host.endsWith(rule.substring(1))
            && host.length() > rule.length() - 1);
  }

  /// The form of a host's name.
  final class Form {
    static final String TEXT =
        "(?:\\*\\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[1-9][0-9]{0,4})?";
    private static final Pattern HOST = Pattern.compile(TEXT);

    private Form() {}
  }
}
