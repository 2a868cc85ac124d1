package dev.runyard.runner.publish;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.checkout.PreparationSteps;
import java.util.Locale;

/// Why something was not published, in words of ours: what servers say is not shown, because they
/// choose it.
final class PublishTrouble {
  static final Failure NO_CHANGE =
      caller(
          Failure.NOTHING_TO_PUBLISH, "The run changed no file, so there is nothing to publish.");

  static final Failure NO_PATCH =
      caller(
          Failure.NOTHING_TO_PUBLISH,
          "What the run changed was not kept as a patch, so it cannot be published.");

  static final Failure NO_WHOLE =
      caller(
          Failure.NOTHING_TO_PUBLISH,
          "What this run and the earlier ones of its session changed together was not kept as one"
              + " patch, so it cannot be published.");

  static final Failure NOT_LISTED =
      caller(
          Failure.PUBLISH_NOT_ALLOWED,
          "The operator does not let changes be published to the repository's server, or not with"
              + " this secret.");

  static final Failure BRANCH_EXISTS =
      caller(
          Failure.BRANCH_EXISTS,
          "The repository has a branch of this name that is not of this run or an earlier one of its"
              + " session, or one that leaves this name no place. Name another branch.");

  static final Failure BRANCH_MOVED =
      caller(
          Failure.BRANCH_MOVED,
          "Somebody has changed the branch of this run. Name another branch, or remove this one.");

  static final Failure PUSH_REFUSED =
      caller(
          Failure.PUSH_REFUSED,
          "The server does not take the branch: it protects the name, or a rule of it refuses the"
              + " commit. Name another branch, or change the rule.");

  static final Failure NOT_ALLOWED =
      caller(
          Failure.PUBLISH_NOT_ALLOWED,
          "The server refuses the credential, or it may not write to the repository.");

  static final Failure NO_SECRET =
      new Failure(
          Failure.PUBLISH_NOT_ALLOWED,
          Category.CAPACITY,
          "The runner cannot read the secret that the request names, or it is no credential.");

  static final Failure NO_BASE =
      caller(
          Failure.PULL_REQUEST_REFUSED,
          "Nobody said which branch to merge into, and the repository has no default one. Name"
              + " base.");

  static final Failure PULL_REFUSED =
      caller(
          Failure.PULL_REQUEST_REFUSED,
          "The branch is pushed, but the server does not take the pull request. Check base, and"
              + " whether the server takes drafts.");

  static final Failure REDIRECTED =
      caller(
          Failure.PULL_REQUEST_REFUSED,
          "The branch is pushed, but the server redirects. Name the address it redirects to.");

  static final Failure LIMITED =
      failed("The server asks to be left alone for a while. Publish again later.");

  static final Failure NOT_SHOWN =
      failed("The server has a pull request of the branch and does not show it. Publish again.");

  static final Failure NO_ANSWER =
      failed("The server did not answer, or not in time. Publish again.");

  static final Failure NOT_MADE = failed("The runner could not make the commit. Publish again.");

  static final Failure STOPPED = failed("The runner stopped before it was published.");

  private PublishTrouble() {}

  /// Why a server of repositories did not do what it was asked for.
  static Failure of(PreparationSteps.Ended ended) {
    return switch (ended) {
      case PreparationSteps.Ended.Stopped _ -> STOPPED;
      case PreparationSteps.Ended.Exited exited -> said(exited.stderr().toLowerCase(Locale.ROOT));
      case PreparationSteps.Ended.TimeOver _,
          PreparationSteps.Ended.TooMuch _,
          PreparationSteps.Ended.NotStarted _,
          PreparationSteps.Ended.Limited _ ->
          NO_ANSWER;
    };
  }

  private static Failure said(String stderr) {
    return stderr.contains("authentication failed")
            || stderr.contains("could not read username")
            || stderr.contains("could not read password")
            || stderr.contains("returned error: 401")
            || stderr.contains("returned error: 403")
            || stderr.contains("returned error: 404")
            || stderr.contains("not found")
        ? NOT_ALLOWED
        : NO_ANSWER;
  }

  private static Failure failed(String message) {
    return new Failure(Failure.PUBLISH_FAILED, Category.BACKEND, message);
  }

  private static Failure caller(String code, String message) {
    return new Failure(code, Category.CALLER, message);
  }
}
