package dev.runyard.core.hook;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// The address of a repository that a delivery names in part. The server, and what stands before
/// the first value, are the hook's; no value leads out of there.
final class HookAddress {
  /// Up to the server's end: what follows is a path on it.
  private static final Pattern SERVER =
      Pattern.compile("(?:https?|ssh)://[^/{}]+/.*|[^/:{}]+@[^/:{}]+:.*");

  /// Of a path, so that no server and no encoding of dots can be in it.
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._/-]*");

  private HookAddress() {}

  static boolean namesServer(String beginning) {
    return SERVER.matcher(beginning).matches();
  }

  /// True for a value that may stand in an address.
  static boolean isPath(String value) {
    return PATH.matcher(value).matches();
  }

  /// True for an address with nothing in it that means another place.
  static boolean staysThere(String address) {
    int path = address.indexOf("://");
    String rest = path < 0 ? address : address.substring(path + 3);
    return Arrays.stream(rest.split("[/:]", -1)).noneMatch(n -> n.equals(".") || n.equals(".."))
        && address.indexOf('%') < 0
        && address.indexOf('\\') < 0;
  }

  /// True if the address is one of these, or begins as one that ends a server or a folder and
  /// continues as a path.
  static boolean isOneOf(String address, List<String> allowed) {
    return allowed.stream()
        .anyMatch(
            one ->
                address.equals(one)
                    || ((one.endsWith("/") || one.endsWith(":"))
                        && namesServer(one)
                        && address.startsWith(one)
                        && isPath(address.substring(one.length()))));
  }
}
