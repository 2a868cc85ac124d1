package dev.runyard.runner.checkout;

import dev.runyard.core.request.GitAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A private key for a server of repositories. It is in a file of the runner's own while git speaks
/// to the server, and nowhere else: ssh takes a key from nothing but a file or an agent.
///
/// @param pem as ssh-keygen writes it, without passphrase
record SshKey(String pem) {
  /// Longest time ssh waits for a server to answer at first.
  static final int SSH_CONNECT_SECONDS_MAX = 30;

  /// Longest time a server may be silent afterwards.
  static final int SSH_SILENCE_SECONDS_MAX = 60;

  private static final int LOOKS = 4;
  private static final String KEY = "ssh-key";
  private static final String HOSTS = "ssh-hosts";

  /// How a key in the form of OpenSSH begins that has no passphrase.
  private static final byte[] OPEN =
      "openssh-key-v1\0\0\0\0\4none".getBytes(StandardCharsets.US_ASCII);

  private static final Pattern FORM =
      Pattern.compile(
          "-----BEGIN (?<kind>(?:[A-Z]+ )?)PRIVATE KEY-----\n(?<body>[A-Za-z0-9+/=\n]+)"
              + "-----END (?:[A-Z]+ )?PRIVATE KEY-----\n");

  /// Reads a secret; empty if it is no private key, or one with a passphrase.
  static Optional<SshKey> of(String secret) {
    String pem = secret.replace("\r\n", "\n").strip() + "\n";
    Matcher parts = FORM.matcher(pem);
    return parts.matches() && isOpen(parts.group("kind"), parts.group("body"))
        ? Optional.of(new SshKey(pem))
        : Optional.empty();
  }

  private static boolean isOpen(String kind, String body) {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(body);
      return switch (kind) {
        case "ENCRYPTED " -> false;
        case "OPENSSH " ->
            bytes.length > OPEN.length
                && Arrays.equals(bytes, 0, OPEN.length, OPEN, 0, OPEN.length);
        case String _ -> true;
      };
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /// Writes it for one git process.
  ///
  /// @param program the path of ssh
  /// @param folder of the runner's own
  /// @param trusted lines of `known_hosts`
  GitAccess access(GitAddress address, Path program, Path folder, List<String> trusted)
      throws IOException {
    Path key = written(folder.resolve(KEY), pem);
    Path hosts = written(folder.resolve(HOSTS), String.join("\n", trusted) + "\n");
    List<String> command = new ArrayList<>(List.of(quoted(program.toString()), "-F", "none"));
    for (String option : options(key, hosts)) {
      command.add("-o");
      command.add(quoted(option));
    }
    if (address.user().isEmpty()) {
      command.addAll(List.of("-l", "git"));
    }
    return new GitAccess(
        Map.of("core.sshCommand", String.join(" ", command), "ssh.variant", GitAddress.SSH),
        Map.of(),
        List.of(key, hosts));
  }

  /// Everything by which ssh could do more than speak to this one server, whose key is known.
  private static List<String> options(Path key, Path hosts) {
    return List.of(
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        "UserKnownHostsFile=" + named(hosts),
        "GlobalKnownHostsFile=/dev/null",
        "UpdateHostKeys=no",
        "CheckHostIP=no",
        "VerifyHostKeyDNS=no",
        "CanonicalizeHostname=no",
        "IdentityFile=" + named(key),
        "IdentitiesOnly=yes",
        "IdentityAgent=none",
        "AddKeysToAgent=no",
        "PreferredAuthentications=publickey",
        "PasswordAuthentication=no",
        "KbdInteractiveAuthentication=no",
        "HostbasedAuthentication=no",
        "GSSAPIAuthentication=no",
        "ForwardAgent=no",
        "ForwardX11=no",
        "ClearAllForwardings=yes",
        "Tunnel=no",
        "PermitLocalCommand=no",
        "ProxyCommand=none",
        "ProxyJump=none",
        "ControlMaster=no",
        "ControlPath=none",
        "RequestTTY=no",
        "EscapeChar=none",
        "ConnectionAttempts=1",
        "ConnectTimeout=" + SSH_CONNECT_SECONDS_MAX,
        "ServerAliveInterval=" + SSH_SILENCE_SECONDS_MAX / LOOKS,
        "ServerAliveCountMax=" + LOOKS,
        "LogLevel=ERROR");
  }

  /// Nobody else could ever open it. The content is not in it before that holds.
  private static Path written(Path file, String content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file,
        PosixFilePermissions.asFileAttribute(
            Set.copyOf(PosixFilePermissions.fromString("rw-------"))));
    return Files.write(
        file, content.getBytes(StandardCharsets.UTF_8), StandardOpenOption.TRUNCATE_EXISTING);
  }

  /// In a setting of ssh, where a percent sign stands for something else.
  private static String named(Path file) {
    return '"' + file.toString().replace("%", "%%") + '"';
  }

  /// For the shell by which git starts ssh.
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  @Override
  public String toString() {
    return "SshKey";
  }
}
