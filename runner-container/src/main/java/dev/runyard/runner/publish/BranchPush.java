package dev.runyard.runner.publish;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.GitAddress;
import dev.runyard.runner.checkout.Checkout;
import dev.runyard.runner.checkout.GitAccess;
import dev.runyard.runner.checkout.GitCommands;
import dev.runyard.runner.checkout.GitCredential;
import dev.runyard.runner.checkout.PreparationSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Brings a commit to a branch of a server, so that whoever does it again finds it there. It makes
/// the branch, or replaces what an earlier attempt of the same run, or an earlier run whose change
/// is in the commit too, left; the commits of others stay as they are.
///
/// @param runs whose changes the commit has
record BranchPush(
    GitCommands git, GitAddress address, Optional<GitCredential> credential, List<String> runs) {
  BranchPush {
    runs = List.copyOf(runs);
  }

  /// Longest time that a server may take for one answer.
  static final int PUSH_SECONDS_MAX = 300;

  /// How many commits of a branch are looked at to see whose it is.
  private static final int COMMITS_LOOKED_AT = 50;

  private static final int LINES_KEPT = 256;

  /// That the branch was not what it had been when it was looked at.
  private static final Pattern MOVED =
      Pattern.compile("\\[rejected]|lock ref|update ref|reference already exists");

  /// That a branch is there whose name begins with this one's, or the other way round, so that both
  /// have no place.
  private static final Pattern IN_THE_WAY = Pattern.compile("exists; cannot create");

  private static final String THERE = "refs/runyard/published";
  private static final Duration LONG = Duration.ofSeconds(PUSH_SECONDS_MAX);

  /// What a server says of a repository.
  sealed interface Looked {
    /// It answered.
    ///
    /// @param tip of the branch, if it is there
    /// @param standard the branch that the repository names as its own
    /// @param base true if it has the branch that was asked for
    record Known(Optional<String> tip, Optional<String> standard, boolean base) implements Looked {}

    record Not(Failure failure) implements Looked {}
  }

  /// Asks the server.
  ///
  /// @param base another branch to look for
  Looked look(String branch, Optional<String> base) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    List<String> args =
        new ArrayList<>(
            List.of("ls-remote", "-q", "--symref", "--", address.url(), "HEAD", ref(branch)));
    base.map(BranchPush::ref).ifPresent(args::add);
    PreparationSteps.Ended ended = remote(lines, args);
    if (!well(ended)) {
      return new Looked.Not(PublishTrouble.of(ended));
    }
    return new Looked.Known(
        id(lines, branch),
        lines.stream()
            .filter(line -> line.startsWith("ref: refs/heads/") && line.endsWith("\tHEAD"))
            .map(line -> line.substring("ref: refs/heads/".length(), line.length() - 5))
            .findFirst(),
        base.flatMap(name -> id(lines, name)).isPresent());
  }

  /// Pushes the commit; the failure if it is not there afterwards.
  ///
  /// @param tip what the branch is now
  Optional<Failure> push(String commit, String base, String branch, Optional<String> tip)
      throws InterruptedException {
    if (tip.filter(commit::equals).isPresent()) {
      return Optional.empty();
    }
    if (tip.isPresent()) {
      Optional<Failure> foreign = foreign(tip.get(), base, branch);
      if (foreign.isPresent()) {
        return foreign;
      }
    }
    List<String> lines = new ArrayList<>();
    PreparationSteps.Ended ended =
        remote(
            lines,
            List.of(
                "push",
                "--porcelain",
                "--no-verify",
                "--no-signed",
                "--recurse-submodules=no",
                "--force-with-lease=" + ref(branch) + ":" + tip.orElse(""),
                "--",
                address.url(),
                "+" + commit + ":" + ref(branch)));
    return well(ended) ? Optional.empty() : Optional.of(refused(ended, lines));
  }

  private static Failure refused(PreparationSteps.Ended ended, List<String> lines) {
    List<String> refusals = lines.stream().filter(line -> line.startsWith("!")).toList();
    if (refusals.stream().anyMatch(line -> IN_THE_WAY.matcher(line).find()) || saysSo(ended)) {
      return PublishTrouble.BRANCH_EXISTS;
    }
    boolean raced = refusals.stream().anyMatch(line -> MOVED.matcher(line).find());
    if (refusals.isEmpty()) {
      return PublishTrouble.of(ended);
    }
    return raced ? PublishTrouble.BRANCH_MOVED : PublishTrouble.PUSH_REFUSED;
  }

  /// Many servers say in their complaints only what a ref could not be updated for.
  private static boolean saysSo(PreparationSteps.Ended ended) {
    return ended instanceof PreparationSteps.Ended.Exited exited
        && IN_THE_WAY.matcher(exited.stderr()).find();
  }

  /// Why the branch may not be replaced; empty if it is what an earlier attempt left.
  private Optional<Failure> foreign(String tip, String base, String branch)
      throws InterruptedException {
    PreparationSteps.Ended fetched =
        remote(
            new ArrayList<>(),
            List.of(
                "fetch",
                "-q",
                "--no-tags",
                "--no-write-fetch-head",
                "--depth=" + COMMITS_LOOKED_AT,
                "--",
                address.url(),
                "+" + ref(branch) + ":" + THERE));
    if (!well(fetched)) {
      return Optional.of(PublishTrouble.of(fetched));
    }
    List<String> look =
        new ArrayList<>(
            List.of(
                "rev-list", "--max-count=" + COMMITS_LOOKED_AT, "--parents", "--fixed-strings"));
    runs.forEach(run -> look.add("--grep=" + CommitMaking.TRAILER + run));
    look.add(THERE);
    List<String> ours = new ArrayList<>();
    PreparationSteps.Ended looked = local(ours, look.toArray(String[]::new));
    if (!well(looked)) {
      return Optional.of(PublishTrouble.of(looked));
    }
    if (ours.equals(List.of(tip + " " + base))) {
      return Optional.empty();
    }
    return Optional.of(ours.isEmpty() ? PublishTrouble.BRANCH_EXISTS : PublishTrouble.BRANCH_MOVED);
  }

  private static Optional<String> id(List<String> lines, String branch) {
    return lines.stream()
        .filter(line -> line.endsWith("\t" + ref(branch)) && !line.startsWith("ref: "))
        .map(line -> line.substring(0, line.indexOf('\t')))
        .findFirst();
  }

  private static String ref(String branch) {
    return "refs/heads/" + branch;
  }

  private static boolean well(PreparationSteps.Ended ended) {
    return ended instanceof PreparationSteps.Ended.Exited exited && exited.well();
  }

  private PreparationSteps.Ended local(List<String> lines, String... args)
      throws InterruptedException {
    return git.local(Map.of(), LONG, line -> keep(lines, line), args);
  }

  private PreparationSteps.Ended remote(List<String> lines, List<String> args)
      throws InterruptedException {
    return git.remote(
        address,
        credential.map(own -> own.access(address)).orElse(GitAccess.NONE),
        LONG,
        line -> keep(lines, line),
        () -> git.bytes() > 2 * Checkout.CLONE_BYTES_MAX,
        args.toArray(String[]::new));
  }

  private static void keep(List<String> lines, String line) {
    synchronized (lines) {
      if (lines.size() < LINES_KEPT) {
        lines.add(line);
      }
    }
  }
}
