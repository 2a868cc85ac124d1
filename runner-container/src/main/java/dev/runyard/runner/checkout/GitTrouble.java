package dev.runyard.runner.checkout;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.Locale;

/// What went wrong with a repository, in words of ours: what git and servers say is not shown,
/// because a server chooses it.
final class GitTrouble {
  static final Failure TOO_LARGE =
      caller(
          Failure.WORKSPACE_TOO_LARGE,
          "The repository has more bytes, files or bytes of paths than a workspace may have. Ask for"
              + " fewer folders with sparse, or for less depth.");

  static final Failure NO_MEMORY =
      caller(
          Failure.WORKSPACE_TOO_LARGE,
          "Git needs more memory for the repository than it may have. Ask for less depth, or remove"
              + " its largest files.");

  static final Failure NO_REF =
      caller(Failure.REF_NOT_FOUND, "The repository has no such branch, tag or commit. Check ref.");

  static final Failure SLOW =
      new Failure(
          Failure.CLONE_FAILED,
          Category.BACKEND,
          "The repository was not fetched in time. Submit again, or ask for less depth.");

  static final Failure NO_PROGRAM =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CAPACITY,
          "The runner has no git, or an old one. It needs %s or newer."
              .formatted(GitProgram.VERSION_MIN));

  static final Failure NO_SECRET =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CAPACITY,
          "The runner cannot read the secret that the workspace names, or it is no credential.");

  static final Failure NO_SSH =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CAPACITY,
          "The runner has no ssh. It needs OpenSSH's client.");

  static final Failure NO_KEY =
      caller(
          Failure.CLONE_FAILED,
          "It is on another server of ssh than the repository, for which there is no key.");

  static final Failure HOST_KEY =
      caller(
          Failure.CLONE_FAILED,
          "The server does not show the host key that the operator lists, so nothing was sent to"
              + " it. Somebody may be in between, or the server has a new key.");

  static final Failure NOT_WRITTEN =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CAPACITY,
          "The runner could not write the repository's files. Submit again.");

  static final Failure STOPPED =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CAPACITY,
          "The runner stopped before the files were there.");

  private GitTrouble() {}

  static Failure refused(String why) {
    return caller(Failure.REPOSITORY_REFUSED, "The repository is not checked out: " + why + ".");
  }

  /// A server is asked for that the operator does not name.
  ///
  /// @param member of the agents file
  static Failure notListed(String member) {
    return caller(
        Failure.CLONE_FAILED,
        "Its server is not among those that the operator lists as %s in the agents file."
            .formatted(member));
  }

  /// Why a repository could not be fetched.
  static Failure ofFetch(PreparationSteps.Ended ended) {
    return switch (ended) {
      case PreparationSteps.Ended.TimeOver _ -> SLOW;
      case PreparationSteps.Ended.TooMuch _ -> TOO_LARGE;
      case PreparationSteps.Ended.Stopped _ -> STOPPED;
      case PreparationSteps.Ended.Limited(Failure failure) -> failure;
      case PreparationSteps.Ended.NotStarted _ -> NO_PROGRAM;
      case PreparationSteps.Ended.Exited exited -> said(exited.stderr().toLowerCase(Locale.ROOT));
    };
  }

  /// Why files could not be written that were fetched.
  static Failure ofFiles(PreparationSteps.Ended ended) {
    return switch (ended) {
      case PreparationSteps.Ended.Stopped _ -> STOPPED;
      case PreparationSteps.Ended.Exited exited when exited.stderr().contains("invalid path") ->
          refused("a file of it has a name that git keeps for itself");
      case PreparationSteps.Ended.Exited exited
          when ranOutOfMemory(exited.stderr().toLowerCase(Locale.ROOT)) ->
          NO_MEMORY;
      case PreparationSteps.Ended _ -> NOT_WRITTEN;
    };
  }

  /// What a server says begins in another way.
  private static boolean ranOutOfMemory(String stderr) {
    return stderr.lines().anyMatch(line -> line.startsWith("fatal: out of memory"));
  }

  private static Failure said(String stderr) {
    if (ranOutOfMemory(stderr)) {
      return NO_MEMORY;
    }
    if (stderr.contains("remote ref") || notOurs(stderr)) {
      return NO_REF;
    }
    if (stderr.contains("host key verification failed")) {
      return HOST_KEY;
    }
    if (stderr.contains("load key \"")) {
      return NO_SECRET;
    }
    if (stderr.contains("fsck error")
        || stderr.contains("error in object")
        || stderr.contains("error: object ")) {
      return refused("it has objects that git considers malformed or hostile");
    }
    if (stderr.contains("authentication failed")
        || stderr.contains("permission denied (")
        || stderr.contains("could not read username")
        || stderr.contains("could not read password")
        || stderr.contains("returned error: 401")
        || stderr.contains("returned error: 403")) {
      return caller(
          Failure.CLONE_FAILED, "The server refuses: it wants a credential, or another one.");
    }
    if (stderr.contains("does not appear to be a git repository")
        || stderr.contains("not found")
        || stderr.contains("returned error: 404")) {
      return caller(
          Failure.CLONE_FAILED,
          "The server has no such repository, or does not show it without another credential.");
    }
    if (stderr.contains("returned error: 3") || stderr.contains("redirect")) {
      return caller(
          Failure.CLONE_FAILED, "The server redirects. Name the address it redirects to.");
    }
    return new Failure(
        Failure.CLONE_FAILED,
        Category.BACKEND,
        "The repository could not be fetched from its server. Check url, then submit again.");
  }

  /// True when a server did not give a commit because nobody may ask for it by its id.
  static boolean notOurs(String stderr) {
    String said = stderr.toLowerCase(Locale.ROOT);
    return said.contains("not our ref") || said.contains("unadvertised object");
  }

  private static Failure caller(String code, String message) {
    return new Failure(code, Category.CALLER, message);
  }
}
