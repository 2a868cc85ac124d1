package dev.runyard.runner.checkout;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.WorkspaceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Fetches a repository into a folder of the runner's own, looks at all of its files, and writes
/// them into a workspace. One at a time.
public final class Checkout {
  /// Longest time servers may take to send a repository with its submodules and large files.
  public static final int CLONE_SECONDS_MAX = 900;

  /// Most bytes they may send.
  public static final long CLONE_BYTES_MAX = 2L * 1024 * 1024 * 1024;

  /// Longest time git may take for anything else.
  static final int LOCAL_SECONDS_MAX = 300;

  private static final Duration SHORT = Duration.ofSeconds(LOCAL_SECONDS_MAX);
  private static final String BASE = "refs/runyard/base";
  static final String ATTRIBUTES = "attributes";
  static final String AS_COMMITTED = "* -text -ident -filter -working-tree-encoding\n";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{40}");
  private static final int REFS_MAX = 64;

  private final GitCommands git;
  private final Order order;
  private final GitAddress address;
  private final ServerAccess access;
  private final Allowance allowance;
  private final int level;
  private final TreeCheck tree;
  private final List<RunEvent.RuntimeWarning> warnings = new ArrayList<>();
  private final List<String> printed = new ArrayList<>();
  private List<Submodules.Module> modules = List.of();
  private Optional<String> ref = Optional.empty();
  private String object = "";
  private String commit = "";

  /// What is to be checked out.
  ///
  /// @param source which repository
  /// @param known the commit, if an earlier attempt has resolved it
  /// @param secret to fetch it with
  /// @param workspace an empty folder, or the files as an earlier attempt left them
  /// @param bytesMax most bytes of its files
  /// @param entriesMax most files, folders and links
  public record Order(
      WorkspaceSource.Git source,
      @Nullable String known,
      Optional<String> secret,
      Path workspace,
      long bytesMax,
      int entriesMax) {
    /// Within the usual bounds.
    public Order(
        WorkspaceSource.Git source,
        @Nullable String known,
        Optional<String> secret,
        Path workspace) {
      this(source, known, secret, workspace, TreeCheck.BYTES_MAX, ChangeBounds.ENTRIES_MAX);
    }

    @Override
    public String toString() {
      return "Order[" + source.url() + "]";
    }
  }

  /// What became of it.
  public sealed interface Result {
    /// It is there, or what it was is known again.
    ///
    /// @param facts without a time
    /// @param warnings of what is not there though it was asked for
    record Done(
        Origin base, WorkspaceNotice.ContextResolved facts, List<RunEvent.RuntimeWarning> warnings)
        implements Result {
      public Done {
        warnings = List.copyOf(warnings);
      }
    }

    record Refused(Failure failure) implements Result {}
  }

  /// A step; the failure for which no other is taken.
  @FunctionalInterface
  private interface Step {
    Optional<Failure> take() throws IOException, InterruptedException;
  }

  /// @param level of submodules that it is inside of
  Checkout(
      GitCommands git,
      Order order,
      GitAddress address,
      ServerAccess access,
      Allowance allowance,
      int level) {
    this.git = git;
    this.order = order;
    this.address = address;
    this.access = access;
    this.allowance = allowance;
    this.level = level;
    this.tree = allowance.tree();
  }

  /// Fetches the files and writes them.
  Result write() throws IOException, InterruptedException {
    return taken(
        this::open,
        this::look,
        this::fetch,
        this::settle,
        this::inspect,
        this::files,
        this::modules,
        this::large,
        this::hand);
  }

  /// Fetches what the files were, which are there already.
  Result again() throws IOException, InterruptedException {
    return taken(this::open, this::look, this::fetch, this::settle, this::inspect);
  }

  private Result taken(Step... steps) throws IOException, InterruptedException {
    for (Step step : steps) {
      Optional<Failure> failure = step.take();
      if (failure.isPresent()) {
        return new Result.Refused(failure.get());
      }
    }
    return new Result.Done(
        new Origin.Fetched(
                git.directory(), head(), Optional.ofNullable(order.source().credential()))
            .at(order.workspace()),
        new WorkspaceNotice.ContextResolved(
            "git",
            address.bare(),
            order.source().ref(),
            commit,
            allowance.files(),
            allowance.bytes(),
            0),
        warnings);
  }

  private Optional<Failure> open() throws IOException, InterruptedException {
    Optional<Failure> refused = access.refusal(address);
    if (refused.isPresent()) {
      return refused;
    }
    Optional<Failure> failure = EmptyTree.init(git);
    if (failure.isEmpty()) {
      Path info = Files.createDirectories(git.directory().resolve("info"));
      Files.writeString(info.resolve(ATTRIBUTES), AS_COMMITTED);
      if (!order.source().sparse().isEmpty()) {
        Files.writeString(
            info.resolve("sparse-checkout"), SparsePatterns.of(order.source().sparse()));
      }
    }
    return failure;
  }

  /// Finds out which branch or tag is meant.
  private Optional<Failure> look() throws IOException, InterruptedException {
    String wanted = order.source().ref();
    if (wanted != null && ID.matcher(wanted).matches()) {
      return Optional.empty();
    }
    List<String> names =
        wanted == null ? List.of("HEAD") : List.of("refs/heads/" + wanted, "refs/tags/" + wanted);
    List<String> args =
        new ArrayList<>(List.of("ls-remote", "-q", "--symref", "--", address.url()));
    args.addAll(names);
    PreparationSteps.Ended ended = remote(args);
    if (!(ended instanceof PreparationSteps.Ended.Exited exited && exited.well())) {
      return Optional.of(GitTrouble.ofFetch(ended));
    }
    ref =
        wanted == null
            ? symbolic().filter(name -> name.startsWith("refs/heads/"))
            : names.stream().filter(name -> advertised(name)).findFirst();
    boolean found = wanted == null ? advertised("HEAD") : ref.isPresent();
    return found || order.known() != null ? Optional.empty() : Optional.of(GitTrouble.NO_REF);
  }

  private Optional<String> symbolic() {
    return printed.stream()
        .filter(line -> line.startsWith("ref: ") && line.endsWith("\tHEAD"))
        .map(line -> line.substring("ref: ".length(), line.length() - "\tHEAD".length()))
        .findFirst();
  }

  private boolean advertised(String name) {
    return printed.stream()
        .anyMatch(line -> line.endsWith("\t" + name) && !line.startsWith("ref: "));
  }

  private Optional<Failure> fetch() throws IOException, InterruptedException {
    String wanted = wanted();
    List<String> args =
        new ArrayList<>(List.of("fetch", "-q", "--no-tags", "--no-write-fetch-head"));
    if (order.source().depth() > 0) {
      args.add("--depth=" + order.source().depth());
    }
    args.addAll(List.of("--", address.url(), "+" + wanted + ":" + BASE));
    PreparationSteps.Ended ended = remote(args);
    if (ID.matcher(wanted).matches()
        && ended instanceof PreparationSteps.Ended.Exited exited
        && GitTrouble.notOurs(exited.stderr())) {
      return fetchAll(wanted);
    }
    return wellFetched(ended);
  }

  private String wanted() {
    String given = order.source().ref();
    if (order.known() != null) {
      return Objects.requireNonNull(order.known());
    }
    return given != null && ID.matcher(given).matches() ? given : ref.orElse("HEAD");
  }

  /// A server that gives no commit by its id gives it with the branch it is on.
  private Optional<Failure> fetchAll(String wanted) throws IOException, InterruptedException {
    PreparationSteps.Ended ended =
        remote(
            List.of(
                "fetch",
                "-q",
                "--no-write-fetch-head",
                "--",
                address.url(),
                "+refs/heads/*:refs/runyard/heads/*",
                "+refs/tags/*:refs/runyard/tags/*"));
    Optional<Failure> failure = wellFetched(ended);
    if (failure.isPresent()) {
      return failure;
    }
    PreparationSteps.Ended named = local("update-ref", BASE, wanted);
    return well(named) ? Optional.empty() : Optional.of(GitTrouble.NO_REF);
  }

  private static Optional<Failure> wellFetched(PreparationSteps.Ended ended) {
    return well(ended) ? Optional.empty() : Optional.of(GitTrouble.ofFetch(ended));
  }

  /// Finds out which commit it is.
  private Optional<Failure> settle() throws InterruptedException {
    PreparationSteps.Ended ended = local("rev-parse", BASE, BASE + "^{commit}");
    if (!well(ended) || printed.size() != 2) {
      return Optional.of(GitTrouble.NO_REF);
    }
    object = printed.getFirst();
    commit = printed.getLast();
    return Optional.empty();
  }

  private Optional<Failure> inspect() throws InterruptedException {
    List<String> args =
        new ArrayList<>(
            List.of("--literal-pathspecs", "ls-tree", "-r", "-t", "-l", "--full-tree", commit));
    if (!order.source().sparse().isEmpty()) {
      args.add("--");
      args.addAll(order.source().sparse());
    }
    PreparationSteps.Ended ended =
        git.local(SHORT, tree::line, () -> tree.refused().isPresent(), args.toArray(String[]::new));
    if (tree.refused().isPresent()) {
      return tree.refused();
    }
    allowance.take(tree);
    return well(ended) ? Optional.empty() : Optional.of(GitTrouble.ofFiles(ended));
  }

  private Optional<Failure> files() throws InterruptedException {
    List<String> args = new ArrayList<>();
    if (!order.source().sparse().isEmpty()) {
      args.addAll(List.of("-c", "core.sparseCheckout=true"));
    }
    args.add("--work-tree=" + order.workspace());
    args.addAll(List.of("checkout", "-q", "--force", "--detach", commit));
    PreparationSteps.Ended ended = local(args.toArray(String[]::new));
    return well(ended) ? Optional.empty() : Optional.of(GitTrouble.ofFiles(ended));
  }

  private Optional<Failure> modules() throws IOException, InterruptedException {
    if (!order.source().submodules()) {
      return Optional.empty();
    }
    Submodules submodules = new Submodules(git, order, address, access, allowance, level);
    Optional<Failure> failure = submodules.write(tree.modules(), commit);
    modules = submodules.written();
    warnings.addAll(submodules.warnings());
    return failure;
  }

  private Optional<Failure> large() throws IOException, InterruptedException {
    if (!order.source().lfs() || !tree.attributes()) {
      return Optional.empty();
    }
    LfsFiles files = new LfsFiles(git, order.workspace(), address, access, allowance);
    Optional<Failure> failure = files.write();
    warnings.addAll(files.warnings());
    return failure;
  }

  private Optional<Failure> hand() throws IOException {
    new AgentRepository(git.directory(), order.workspace()).write(head());
    return Optional.empty();
  }

  private AgentRepository.Head head() {
    return new AgentRepository.Head(
        address.bare(),
        ref,
        ref.filter(name -> name.startsWith("refs/tags/")).isPresent() ? object : commit,
        commit,
        order.source().sparse(),
        modules);
  }

  private static boolean well(PreparationSteps.Ended ended) {
    return ended instanceof PreparationSteps.Ended.Exited exited && exited.well();
  }

  private PreparationSteps.Ended local(String... args) throws InterruptedException {
    printed.clear();
    return git.local(SHORT, this::print, () -> false, args);
  }

  private PreparationSteps.Ended remote(List<String> args)
      throws IOException, InterruptedException {
    printed.clear();
    try (GitAccess shown = access.to(address, git.folder())) {
      return git.remote(
          address,
          shown,
          allowance.left(),
          this::print,
          allowance::sentTooMuch,
          args.toArray(String[]::new));
    }
  }

  private synchronized void print(String line) {
    if (printed.size() < REFS_MAX) {
      printed.add(line);
    }
  }
}
