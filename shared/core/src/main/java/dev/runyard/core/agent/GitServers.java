package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.request.GitAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The servers of repositories as the operator lists them for an agent.
///
/// @param hosts the only servers repositories are fetched from, and those that get a secret; empty
///   for any server, none of which gets a secret
/// @param keys the host keys of ssh servers, each a line as in `known_hosts`: the only ones that
///   are trusted
public record GitServers(Optional<NetworkAccess> hosts, List<String> keys) {
  /// The member of an agent in the operator's document that names servers of repositories.
  public static final String HOSTS = "git_hosts";

  /// The member of an agent in the operator's document that has the keys of ssh servers.
  public static final String KEYS = "git_host_keys";

  /// Most host keys of an agent.
  public static final int HOST_KEYS_MAX = 64;

  /// Any server without a secret, and no ssh.
  public static final GitServers ANY = new GitServers(Optional.empty(), List.of());

  private static final int KEY_CHARS_MAX = 2048;

  /// One host, no pattern, no hash and no marker: what is trusted can be read.
  private static final Pattern KEY =
      Pattern.compile(
          "(?:(?<name>[a-z0-9][a-z0-9.-]*)|\\[(?<host>[a-z0-9][a-z0-9.-]*)]:(?<port>[1-9][0-9]{0,4}))"
              + " (?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]+={0,2}");

  private static final String SSH_PORT = ":22";

  public GitServers {
    keys = List.copyOf(keys);
  }

  /// Reads the members of an agent in the operator's document.
  ///
  /// @param at the agent's place in the document
  static GitServers read(JsonNode agent, String at) {
    List<String> keys = AgentSettings.texts(agent.path(KEYS), at + "/" + KEYS);
    if (keys.size() > HOST_KEYS_MAX) {
      throw AgentSettings.wrong(at + "/" + KEYS, "has more than " + HOST_KEYS_MAX + " keys");
    }
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).length() > KEY_CHARS_MAX || !KEY.matcher(keys.get(i)).matches()) {
        throw AgentSettings.wrong(
            at + "/" + KEYS + "/" + i,
            "must be a host, a kind of key and a key, as known_hosts has them");
      }
    }
    return new GitServers(Grants.network(agent.path(HOSTS), at + "/" + HOSTS), keys);
  }

  /// True if repositories may be fetched from this server.
  public boolean allow(GitAddress address) {
    return hosts.isEmpty() || list(address);
  }

  /// True if the operator names the server, so that it may get a secret.
  public boolean list(GitAddress address) {
    return hosts
        .filter(own -> own.covers(new NetworkAccess.Hosts(List.of(address.host()))))
        .isPresent();
  }

  /// The host keys of a server, as lines of `known_hosts`; none if it cannot be trusted.
  public List<String> keysOf(GitAddress address) {
    String host = server(address.host());
    List<String> own = new ArrayList<>();
    for (String key : keys) {
      Matcher parts = KEY.matcher(key);
      if (parts.matches()
          && host.equals(
              parts.group("name") != null
                  ? parts.group("name")
                  : server(parts.group("host") + ":" + parts.group("port")))) {
        own.add(key);
      }
    }
    return own;
  }

  private static String server(String host) {
    return host.endsWith(SSH_PORT) ? host.substring(0, host.length() - SSH_PORT.length()) : host;
  }
}
