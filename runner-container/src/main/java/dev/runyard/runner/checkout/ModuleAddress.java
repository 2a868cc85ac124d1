package dev.runyard.runner.checkout;

import dev.runyard.core.request.GitAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a submodule is.
final class ModuleAddress {
  private static final String HERE = "./";
  private static final String UP = "../";

  private ModuleAddress() {}

  /// Reads the address of a submodule; empty if it is none, or leads out of its server. One on the
  /// main repository's host is reached as the main repository is, for which there is a credential.
  ///
  /// @param parent the repository that names it
  /// @param main the one that the request names
  static Optional<GitAddress> of(String url, GitAddress parent, GitAddress main) {
    Optional<GitAddress> named =
        url.startsWith(HERE) || url.startsWith(UP) ? relative(url, parent) : GitAddress.read(url);
    return named
        .filter(it -> Stream.of(it.path().split("/", -1)).noneMatch(ModuleAddress::moves))
        .flatMap(it -> asMain(it, main));
  }

  private static Optional<GitAddress> relative(String url, GitAddress parent) {
    List<String> names = new ArrayList<>(List.of(parent.path().split("/")));
    String rest = url;
    while (rest.startsWith(HERE) || rest.startsWith(UP)) {
      if (rest.startsWith(UP)) {
        if (names.isEmpty()) {
          return Optional.empty();
        }
        names.removeLast();
      }
      rest = rest.substring(rest.indexOf('/') + 1);
    }
    names.add(rest);
    String server = parent.url().substring(0, parent.url().length() - parent.path().length());
    return GitAddress.read(server + String.join("/", names));
  }

  private static boolean moves(String name) {
    return name.equals(".") || name.equals("..");
  }

  private static Optional<GitAddress> asMain(GitAddress address, GitAddress main) {
    if (!address.host().equals(main.host()) || address.scheme().equals(main.scheme())) {
      return Optional.of(address);
    }
    if (address.host().contains(":")) {
      return Optional.of(address);
    }
    String user = main.user().isEmpty() ? "" : main.user() + "@";
    return GitAddress.read(main.scheme() + "://" + user + main.host() + "/" + address.path());
  }
}
