package dev.runyard.runner.checkout;

import dev.runyard.core.agent.GitServers;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Which servers one checkout may speak to, and what it shows them. The secret is the main
/// repository's: no other server gets it.
///
/// @param servers as the operator lists them
/// @param main where the repository itself is
/// @param secret to fetch it with
/// @param named whether the request names a secret
/// @param path to look for programs in
record ServerAccess(
    GitServers servers, GitAddress main, Optional<String> secret, boolean named, String path) {
  /// Why a server is not spoken to.
  Optional<Failure> refusal(GitAddress address) {
    boolean own = own(address);
    if (!servers.allow(address)) {
      return Optional.of(GitTrouble.notListed(GitServers.HOSTS));
    }
    if (address.scheme().equals("http") && !own) {
      return Optional.of(GitTrouble.refused("it names a server of the runner's own machine"));
    }
    if (address.ssh()) {
      return ssh(address, own);
    }
    boolean unusable = own && named && secret.flatMap(GitCredential::of).isEmpty();
    return unusable ? Optional.of(GitTrouble.NO_SECRET) : Optional.empty();
  }

  private Optional<Failure> ssh(GitAddress address, boolean own) {
    if (servers.keysOf(address).isEmpty()) {
      return Optional.of(GitTrouble.notListed(GitServers.KEYS));
    }
    if (!own || secret.flatMap(SshKey::of).isEmpty()) {
      return Optional.of(own ? GitTrouble.NO_SECRET : GitTrouble.NO_KEY);
    }
    return SshProgram.find(path).isEmpty() ? Optional.of(GitTrouble.NO_SSH) : Optional.empty();
  }

  /// What a git process shows a server that is not refused.
  ///
  /// @param folder of the runner's own, for what must be in files
  GitAccess to(GitAddress address, Path folder) throws IOException {
    if (!address.ssh()) {
      return password(address).map(own -> own.access(address)).orElse(GitAccess.NONE);
    }
    return secret
        .flatMap(SshKey::of)
        .orElseThrow()
        .access(address, SshProgram.find(path).orElseThrow(), folder, servers.keysOf(address));
  }

  /// The user and password for a server, if they are its own.
  Optional<GitCredential> password(GitAddress address) {
    return own(address) && servers.list(address)
        ? secret.flatMap(GitCredential::of)
        : Optional.empty();
  }

  private boolean own(GitAddress address) {
    return address.server().equals(main.server());
  }

  @Override
  public String toString() {
    return "ServerAccess[" + main.server() + "]";
  }
}
