package dev.runyard.runner.network;

import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationLevel;
import dev.runyard.runner.isolation.IsolationRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/// Limits what the agents of a runner reach. That takes an isolation with users of their own: a
/// process of the runner's user could have its sockets made by another one that is not confined.
public final class AgentNetworks {
  /// For runners none of whose agents is limited.
  public static final AgentNetworks UNLIMITED = new AgentNetworks(Optional.empty(), () -> "");

  private static final Failure NOT_ENFORCED =
      new Failure(
          Failure.NETWORK_NOT_ENFORCED,
          Category.CAPACITY,
          "This runner cannot limit what its agents reach, so it did not start one whose network is"
              + " limited. Give it the isolation uid, or take the member network out of the agents"
              + " file.");

  private final Optional<Begins> begins;
  private final Supplier<String> tokens;

  private AgentNetworks(Optional<Begins> begins, Supplier<String> tokens) {
    this.begins = begins;
    this.tokens = tokens;
  }

  /// Limits for agents of this isolation.
  ///
  /// @param tokens new unguessable texts
  /// @throws IsolationRefused where they cannot be enforced
  public static AgentNetworks enforced(Isolation isolation, Supplier<String> tokens) {
    if (isolation.level() != IsolationLevel.UID) {
      throw refused("the isolation is " + isolation.text());
    }
    try {
      Begins begins = Begins.here();
      Process tried = begins.start(new ProcessBuilder("/bin/true"), ProcessBuilder::start);
      String said = new String(tried.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      if (tried.waitFor() != 0) {
        throw refused(
            "a process that confines itself ended with %d: %s"
                .formatted(tried.exitValue(), said.strip()));
      }
      return new AgentNetworks(Optional.of(begins), tokens);
    } catch (IOException e) {
      throw refused(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused("it was interrupted");
    }
  }

  private static IsolationRefused refused(String why) {
    return new IsolationRefused(
        "the agents file limits what an agent reaches, which cannot be enforced here: %s. Give the runner the isolation uid on Linux 5.9 or newer, or take the member network out."
            .formatted(why));
  }

  /// A cell within which the access holds.
  public sealed interface Limited {
    record To(Cell cell) implements Limited {}

    record NotEnforced(Failure failure) implements Limited {}
  }

  /// Limits the cell of one attempt.
  public Limited limited(Cell cell, NetworkAccess access) throws IOException {
    return switch (access) {
      case NetworkAccess.Open _ -> new Limited.To(cell);
      case NetworkAccess.Hosts _ when begins.isEmpty() -> new Limited.NotEnforced(NOT_ENFORCED);
      case NetworkAccess.Hosts(var hosts) ->
          new Limited.To(
              new ConfinedCell(
                  cell,
                  begins.get(),
                  hosts.isEmpty()
                      ? Optional.empty()
                      : Optional.of(
                          HostProxy.start(
                              new HostRules(hosts),
                              Lookup.outside(InetAddress::getAllByName),
                              tokens.get()))));
    };
  }
}
