package dev.runyard.runner.publish;

import dev.runyard.core.agent.GitForges;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.Publication;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.checkout.GitCommands;
import dev.runyard.runner.checkout.GitCredential;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Publishes what is kept of a run's change. Whoever does it again, after a failure or a kill,
/// finds what is there already: the commit has the same id, the branch has it, and the pull request
/// is looked for before it is made.
///
/// @param git commands in a git directory with the commit that the change is on
/// @param store has the change
public record Publishing(GitCommands git, KeptChanges store, GitForges forges) {
  /// How long after an agent's end git may work on what it changed. What is stored before counts,
  /// so that what comes after the agent ends in time however slow a bucket and a server are.
  public static final int PUBLISHED_SECONDS_MAX = 600;

  private static final Pattern GITHUB_NAME =
      Pattern.compile("(?!\\.{1,2}/)[A-Za-z0-9._-]+/(?!\\.{1,2}$)[A-Za-z0-9._-]+");

  /// What is published.
  ///
  /// @param of the run whose change it is
  /// @param by the run that publishes it
  /// @param secret with which the server lets it in; empty if none is named
  public record Order(
      RunKey of,
      RunKey by,
      WorkspaceSource.Git source,
      PublishRequest request,
      Optional<String> secret) {
    /// Before anything is done.
    public Publication open() {
      return new Publication(by.runId(), request.branch(), null, false, null, null);
    }

    @Override
    public String toString() {
      return "Order[" + of + "]";
    }
  }

  /// Publishes the change, and stores what became of that.
  public Publication publish(Order order, KeptChange change) throws InterruptedException {
    Publication done;
    try {
      done = published(order, change);
    } catch (IOException | PortUnavailable _) {
      done = order.open().because(PublishTrouble.NOT_MADE);
    }
    return stored(store, order, done);
  }

  /// Stores that it was not published.
  public static Publication refused(KeptChanges store, Order order, Failure why) {
    return stored(store, order, order.open().because(why));
  }

  /// That the runner could not do it.
  public static Failure broken() {
    return PublishTrouble.NOT_MADE;
  }

  /// That there is nothing to publish.
  public static Failure nothing() {
    return PublishTrouble.NO_PATCH;
  }

  /// That the operator does not allow it.
  public static Failure notListed() {
    return PublishTrouble.NOT_LISTED;
  }

  /// That its secret could not be read.
  public static Failure noSecret() {
    return PublishTrouble.NO_SECRET;
  }

  /// Who reads it later may do without; the log of the run that published has it too.
  private static Publication stored(KeptChanges store, Order order, Publication publication) {
    try {
      store.published(order.of(), publication);
      return publication;
    } catch (PortUnavailable _) {
      return publication;
    }
  }

  private Publication published(Order order, KeptChange change)
      throws IOException, InterruptedException {
    Publication open = order.open();
    Optional<GitCredential> credential = order.secret().flatMap(GitCredential::of);
    Optional<GitAddress> address = GitAddress.read(order.source().url());
    if (address.isEmpty() || (order.request().credential() != null && credential.isEmpty())) {
      return open.because(PublishTrouble.NO_SECRET);
    }
    Published what = Published.of(order.of(), change);
    KeptObject object = what.patch();
    if (object == null) {
      return open.because(
          change.whole() == null ? PublishTrouble.NO_PATCH : PublishTrouble.NO_WHOLE);
    }
    if (what.files() == 0) {
      return open.because(PublishTrouble.NO_CHANGE);
    }
    Optional<byte[]> patch = store.content(order.of(), change, object);
    if (patch.isEmpty()) {
      return open.because(PublishTrouble.NO_PATCH);
    }
    Optional<String> commit =
        new CommitMaking(git, order.of()).make(what.commit(), patch.get(), order.request());
    if (commit.isEmpty()) {
      return open.because(PublishTrouble.NOT_MADE);
    }
    Publication made = new Publication(open.by(), open.branch(), commit.get(), false, null, null);
    return order.request().push()
        ? pushed(
            order,
            made,
            new Made(commit.get(), what.commit()),
            new BranchPush(git, address.get(), credential, what.runs()),
            credential)
        : made;
  }

  /// What is published: all that was changed since the repository was fetched, by however many
  /// runs.
  ///
  /// @param commit the one that it is on
  /// @param runs whose changes it has
  private record Published(
      @Nullable KeptObject patch, long files, String commit, List<String> runs) {
    static Published of(RunKey run, KeptChange change) {
      WholeChange whole = change.whole();
      return whole == null
          ? new Published(
              change.patch(), change.filesTotal(), change.baseCommit(), List.of(run.runId()))
          : new Published(whole.patch(), whole.files(), whole.commit(), whole.runs());
    }
  }

  /// A commit and the one it is on.
  private record Made(String commit, String base) {}

  private Publication pushed(
      Order order,
      Publication made,
      Made commit,
      BranchPush push,
      Optional<GitCredential> credential)
      throws InterruptedException {
    PublishRequest request = order.request();
    return switch (push.look(request.branch(), Optional.ofNullable(order.source().ref()))) {
      case BranchPush.Looked.Not(Failure failure) -> made.because(failure);
      case BranchPush.Looked.Known known -> {
        Optional<Failure> failure =
            push.push(commit.commit(), commit.base(), request.branch(), known.tip());
        if (failure.isPresent()) {
          yield made.because(failure.get());
        }
        Publication there =
            new Publication(made.by(), made.branch(), commit.commit(), true, null, null);
        yield request.pullRequest() == null
            ? there
            : requested(order, there, known, push.address(), credential);
      }
    };
  }

  private Publication requested(
      Order order,
      Publication there,
      BranchPush.Looked.Known known,
      GitAddress address,
      Optional<GitCredential> credential)
      throws InterruptedException {
    PublishRequest.PullRequest wanted = order.request().pullRequest();
    Optional<GitForges.Forge> forge = forges.of(address);
    if (wanted == null || forge.isEmpty() || credential.isEmpty()) {
      return there.because(PublishTrouble.PULL_REFUSED);
    }
    Optional<String> base =
        Optional.ofNullable(wanted.base())
            .or(() -> Optional.ofNullable(order.source().ref()).filter(_ -> known.base()))
            .or(known::standard);
    if (base.isEmpty()) {
      return there.because(PublishTrouble.NO_BASE);
    }
    PullRequests.Wanted pull =
        new PullRequests.Wanted(
            there.branch(),
            String.valueOf(there.commit()),
            base.get(),
            order.request().titleFor(order.of()),
            wanted.body() == null ? "" : wanted.body(),
            wanted.draft());
    try (ForgeCalls calls = new ForgeCalls(forge.get(), credential.get())) {
      Optional<PullRequests> pulls = pulls(forge.get(), calls, address);
      if (pulls.isEmpty()) {
        return there.because(PublishTrouble.PULL_REFUSED);
      }
      return switch (pulls.get().ensure(pull)) {
        case PullRequests.Found.There(Publication.PullRequest found) ->
            new Publication(there.by(), there.branch(), there.commit(), true, found, null);
        case PullRequests.Found.None _ -> there.because(PublishTrouble.PULL_REFUSED);
        case PullRequests.Found.Not(Failure failure) -> there.because(failure);
      };
    }
  }

  /// Empty if the address cannot be one of a repository there.
  private static Optional<PullRequests> pulls(
      GitForges.Forge forge, ForgeCalls calls, GitAddress address) {
    String path = address.path().replaceAll("/+$", "").replaceAll("\\.git$", "");
    return switch (forge.kind()) {
      case GITHUB ->
          Optional.of(path)
              .filter(name -> GITHUB_NAME.matcher(name).matches())
              .map(name -> new GitHubPulls(calls, name));
      case GITLAB -> Optional.of(new GitLabMergeRequests(calls, path));
    };
  }
}
