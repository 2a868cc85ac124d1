package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.Publication;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.event.PublishNotice;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.checkout.Checkout;
import dev.runyard.runner.checkout.Checkouts;
import dev.runyard.runner.checkout.GitCommands;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.publish.Publishing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Publishes a change for an attempt: that of its own run once its agent is gone, or that of the
/// run it was made for. The secret is read when it is needed, and goes to no process but git's.
final class AttemptPublication {
  private final AgentSetup setup;
  private final AgentAttempt of;
  private final Redaction redaction;
  private final PreparationSteps steps;
  private final ArtifactStore outcomes;

  /// @param redaction gets to know the secret
  /// @param steps run git
  /// @param outcomes is told what became of it; never waited for
  AttemptPublication(
      AgentSetup setup,
      AgentAttempt of,
      Redaction redaction,
      PreparationSteps steps,
      ArtifactStore outcomes) {
    this.setup = setup;
    this.of = of;
    this.redaction = redaction;
    this.steps = steps;
    this.outcomes = outcomes;
  }

  /// What was published, or why not.
  ///
  /// @param failure null if all that was asked for is done
  record Told(List<RunEvent> events, Optional<Failure> failure) {}

  /// Publishes what the attempt's own agent changed, if its request says so.
  ///
  /// @param base has the commit that the change is on
  /// @param change empty if none is kept
  List<RunEvent> own(Origin base, Optional<KeptChange> change) throws InterruptedException {
    WorkspaceRequest asked = of.request().workspace();
    if (asked == null || asked.publish() == null) {
      return List.of();
    }
    WorkspaceRequest wanted = asked.git() == null ? ofRepository(asked, base) : asked;
    try {
      Path git = base.fetched().map(Origin.Fetched::gitDirectory).orElse(base.gitDirectory());
      return allowed(wanted)
          ? published(wanted, checkouts(Objects.requireNonNull(git.getParent())), change).events()
          : told(order(wanted, Optional.empty()), Publishing.notListed()).events();
    } catch (IOException | RuntimeException e) {
      setup.log().failed("change_not_published", e);
      return told(order(wanted, Optional.empty()), Publishing.broken()).events();
    }
  }

  /// The same of the repository that an earlier run had checked out.
  private static WorkspaceRequest ofRepository(WorkspaceRequest asked, Origin base) {
    PublishRequest how = Objects.requireNonNull(asked.publish());
    WorkspaceSource.Git git =
        base.fetched()
            .map(
                fetched ->
                    new WorkspaceSource.Git(
                        fetched.head().url(),
                        fetched.head().name().orElse(null),
                        1,
                        fetched.head().sparse(),
                        false,
                        false,
                        fetched.credential().orElse(null)))
            .orElseGet(() -> WorkspaceSource.Git.of("", null));
    return WorkspaceRequest.of(git)
        .publishing(how.credential() == null ? how.with(git.credential()) : how);
  }

  /// Which repository it would be was not known when the request was checked.
  private boolean allowed(WorkspaceRequest wanted) {
    Optional<GitAddress> address =
        GitAddress.read(Objects.requireNonNull(wanted.git()).url())
            .filter(found -> !found.scheme().equals("ssh"))
            .filter(of.settings().grants().gitServers()::list);
    String credential = Objects.requireNonNull(wanted.publish()).credential();
    return address.isPresent()
        && (credential == null || of.settings().grants().secrets().allows(credential));
  }

  /// Publishes the change of the run that this one was made for.
  ///
  /// @param folder of the runner's own, empty
  Told other(Path folder) throws InterruptedException {
    WorkspaceRequest wanted = Objects.requireNonNull(of.request().workspace());
    try {
      return fetched(wanted, folder);
    } catch (IOException | RuntimeException e) {
      setup.log().failed("change_not_published", e);
      return told(order(wanted, Optional.empty()), Publishing.broken());
    }
  }

  private Told fetched(WorkspaceRequest wanted, Path folder)
      throws IOException, InterruptedException {
    Publishing.Order order = order(wanted, Optional.empty());
    Optional<KeptChange> change = store().find(order.of());
    if (change.isEmpty()) {
      return told(order, Publishing.nothing());
    }
    Optional<String> credential = Optional.empty();
    if (order.source().credential() != null) {
      credential = secret(order.source().credential());
    }
    Checkouts checkouts = checkouts(folder);
    WholeChange whole = change.get().whole();
    Checkout.Order again =
        new Checkout.Order(
            newest(order.source()),
            whole == null ? change.get().baseCommit() : whole.commit(),
            credential,
            Files.createDirectories(folder.resolve("empty")));
    return switch (checkouts.again(again)) {
      case Checkout.Result.Refused(Failure failure) -> told(order, failure);
      case Checkout.Result.Done _ -> published(wanted, checkouts, change);
    };
  }

  /// Nothing but the commit that the change is on.
  private static WorkspaceSource.Git newest(WorkspaceSource.Git source) {
    return new WorkspaceSource.Git(
        source.url(), source.ref(), 1, source.sparse(), false, false, source.credential());
  }

  private Told published(WorkspaceRequest wanted, Checkouts checkouts, Optional<KeptChange> change)
      throws IOException, InterruptedException {
    Publishing.Order bare = order(wanted, Optional.empty());
    if (change.isEmpty()) {
      return told(bare, Publishing.nothing());
    }
    Optional<GitCommands> git = checkouts.git();
    if (git.isEmpty()) {
      return told(bare, Publishing.broken());
    }
    String name = bare.request().credential();
    Optional<String> secret = name == null ? Optional.empty() : secret(name);
    if (name != null && secret.isEmpty()) {
      return told(bare, Publishing.noSecret());
    }
    return told(
        bare,
        new Publishing(git.get(), store(), of.settings().grants().forges())
            .publish(order(wanted, secret), change.get()));
  }

  private Publishing.Order order(WorkspaceRequest wanted, Optional<String> secret) {
    PublishRequest request = Objects.requireNonNull(wanted.publish());
    String other = request.of();
    return new Publishing.Order(
        other == null ? of.run() : new RunKey(of.run().tenant(), other),
        of.run(),
        Objects.requireNonNull(wanted.git()),
        request,
        secret);
  }

  private Optional<String> secret(String name) {
    return switch (setup
        .environment()
        .secrets(of.kind(), redaction, setup.services().clock())
        .resolve(name)) {
      case Prepared.Ready<String>(String value) -> Optional.of(value);
      case Prepared.Refused<String> _ -> Optional.empty();
    };
  }

  private KeptChanges store() {
    return new KeptChanges(setup.stores().artifacts(), outcomes);
  }

  private Checkouts checkouts(Path folder) {
    return new Checkouts(
        folder,
        setup.environment().runnerEnv(),
        setup.services().processes(),
        of.mark(),
        steps,
        new Checkouts.Terms(of.settings().grants().gitServers(), setup.services().clock()));
  }

  private Told told(Publishing.Order order, Failure failure) {
    return told(order, Publishing.refused(store(), order, failure));
  }

  private static Told told(Publishing.Order order, Publication done) {
    Failure error = done.error();
    if (error != null) {
      return new Told(
          List.of(
              new PublishNotice.JobFailed(
                  PublishNotice.JOB, order.of().runId(), done.branch(), error),
              new RunEvent.RuntimeWarning(error.code(), error.message())),
          Optional.of(error));
    }
    Publication.PullRequest pull = done.pullRequest();
    return new Told(
        List.of(
            new PublishNotice.JobCompleted(
                PublishNotice.JOB,
                order.of().runId(),
                done.branch(),
                String.valueOf(done.commit()),
                done.pushed(),
                pull == null ? null : pull.number(),
                pull == null ? null : pull.url())),
        Optional.empty());
  }
}
