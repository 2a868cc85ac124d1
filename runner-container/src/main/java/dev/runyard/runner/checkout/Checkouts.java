package dev.runyard.runner.checkout;

import dev.runyard.core.agent.GitServers;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.runner.isolation.GitCell;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// Makes the bases of one attempt's workspace.
///
/// @param folder of the runner's own, empty, for this attempt alone
/// @param variables of the runner
/// @param processes start git as the runner's user
/// @param steps stop it
/// @param terms on which it is fetched
public record Checkouts(
    Path folder,
    Map<String, String> variables,
    ProcessLauncher processes,
    RunMark mark,
    PreparationSteps steps,
    Terms terms) {
  /// What holds for every server.
  ///
  /// @param servers that the operator lists
  /// @param clock by which their time is over
  public record Terms(GitServers servers, InstantSource clock) {}

  private static final Duration SHORT = Duration.ofSeconds(Checkout.LOCAL_SECONDS_MAX);

  /// Checks a repository out.
  public Checkout.Result write(Checkout.Order order) throws IOException, InterruptedException {
    return made(order, Checkout::write);
  }

  /// Fetches what the files of an earlier attempt were at first.
  public Checkout.Result again(Checkout.Order order) throws IOException, InterruptedException {
    return made(order, Checkout::again);
  }

  /// The base of files that come from nowhere; empty if there is no git.
  public Optional<Origin> empty(Path workspace) throws IOException, InterruptedException {
    Optional<GitCommands> git = git();
    if (git.isEmpty() || EmptyTree.init(git.get()).isPresent()) {
      return Optional.empty();
    }
    return EmptyTree.tree(git.get())
        .map(tree -> new Origin(git.get().directory(), tree, workspace));
  }

  /// Writes the files of an upload.
  public Checkout.Result write(UploadCheckout.Order order)
      throws IOException, InterruptedException {
    Optional<GitCommands> git = git();
    return git.isEmpty()
        ? refused(GitTrouble.NO_PROGRAM)
        : new UploadCheckout(git.get(), order, steps).write();
  }

  /// Finds out what the files of an earlier attempt were at first.
  public Checkout.Result again(UploadCheckout.Order order)
      throws IOException, InterruptedException {
    Optional<GitCommands> git = git();
    return git.isEmpty()
        ? refused(GitTrouble.NO_PROGRAM)
        : new UploadCheckout(git.get(), order, steps).again();
  }

  @FunctionalInterface
  private interface Making {
    Checkout.Result by(Checkout checkout) throws IOException, InterruptedException;
  }

  private Checkout.Result made(Checkout.Order order, Making making)
      throws IOException, InterruptedException {
    Optional<GitAddress> address = GitAddress.read(order.source().url());
    if (address.isEmpty()) {
      return refused(GitTrouble.refused("its address is none"));
    }
    ServerAccess access =
        new ServerAccess(
            terms.servers(),
            address.get(),
            order.secret(),
            order.source().credential() != null,
            variables.getOrDefault("PATH", ""));
    Allowance allowance =
        new Allowance(terms.clock(), folder, order.bytesMax(), order.entriesMax());
    Optional<GitCommands> git = git();
    return git.isEmpty()
        ? refused(GitTrouble.NO_PROGRAM)
        : making.by(new Checkout(git.get(), order, address.get(), access, allowance, 0));
  }

  private static Checkout.Result refused(Failure failure) {
    return new Checkout.Result.Refused(failure);
  }

  /// The git of this machine if it is new enough.
  public Optional<GitCommands> git() throws InterruptedException {
    Optional<Path> program = GitProgram.find(variables.getOrDefault("PATH", ""));
    if (program.isEmpty()) {
      return Optional.empty();
    }
    AtomicBoolean enough = new AtomicBoolean();
    steps.run(
        processes,
        new AgentCommand(
            java.util.List.of(program.get().toString(), "--version"),
            folder,
            Map.of("LC_ALL", "C"),
            new Stdin.Closed()),
        mark,
        SHORT,
        new PreparationSteps.Watch() {
          @Override
          public void line(Line line) {
            if (line instanceof Line.Text(String text, boolean _) && GitProgram.isNewEnough(text)) {
              enough.set(true);
            }
          }

          @Override
          public boolean tooMuch() {
            return false;
          }
        });
    return enough.get()
        ? Optional.of(
            new GitCommands(
                program.get(), folder, variables, processes.in(new GitCell()), mark, steps))
        : Optional.empty();
  }
}
