package dev.runyard.runner.checkout;

import dev.runyard.core.agent.GitServers;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Checks repositories of a server out, each into folders of its own.
final class CheckoutRig implements AutoCloseable {
  final GitServer server;
  final PreparationSteps steps = new PreparationSteps();
  private final Path root;
  private int made;
  private GitServers servers;
  private InstantSource clock = InstantSource.system();

  CheckoutRig(Path folder) throws IOException {
    this.root = folder.toRealPath();
    this.server = new GitServer(root.resolve("served"));
    this.servers =
        new GitServers(Optional.of(new NetworkAccess.Hosts(List.of(server.host()))), List.of());
  }

  Repository repository(String name) {
    Repository made = Repository.create(root.resolve("served").resolve(name));
    made.git("config", "uploadpack.allowAnySHA1InWant", "false");
    return made;
  }

  Checkouts checkouts() throws IOException {
    return new Checkouts(
        folder(),
        Map.of("PATH", System.getenv("PATH")),
        ProcessLauncher.onThisMachine(),
        new RunMark(UUID.randomUUID().toString(), "1"),
        steps,
        new Checkouts.Terms(servers, clock));
  }

  /// From when something has happened, all the time that servers have is over.
  void leavesNoTimeAfter(BooleanSupplier happened) {
    Instant begin = Instant.EPOCH;
    clock =
        () -> happened.getAsBoolean() ? begin.plusSeconds(Checkout.CLONE_SECONDS_MAX + 1) : begin;
  }

  /// Has the operator list servers, beside the one of this rig.
  void trusts(String host, String... keys) {
    servers =
        new GitServers(
            Optional.of(new NetworkAccess.Hosts(List.of(server.host(), host))), List.of(keys));
  }

  Path folder() throws IOException {
    return Files.createDirectories(root.resolve("made").resolve(String.valueOf(++made)));
  }

  WorkspaceSource.Git source(String repository, @Nullable String ref) {
    return WorkspaceSource.Git.of(server.url(repository), ref);
  }

  Checkout.Order order(WorkspaceSource.Git source) throws IOException {
    return new Checkout.Order(source, null, Optional.empty(), folder());
  }

  Checkout.Result.Done done(Checkout.Order order) throws IOException, InterruptedException {
    return switch (checkouts().write(order)) {
      case Checkout.Result.Done done -> done;
      case Checkout.Result.Refused(Failure failure) -> throw new AssertionError(failure);
    };
  }

  Failure refused(Checkout.Order order) throws IOException, InterruptedException {
    return switch (checkouts().write(order)) {
      case Checkout.Result.Done done -> throw new AssertionError(done);
      case Checkout.Result.Refused(Failure failure) -> failure;
    };
  }

  @Override
  public void close() {
    server.close();
  }
}
