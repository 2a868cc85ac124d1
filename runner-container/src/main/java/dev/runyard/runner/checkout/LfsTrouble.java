package dev.runyard.runner.checkout;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;

/// What went wrong with files of Git LFS, in words of ours.
final class LfsTrouble {
  static final Failure NO_ANSWER =
      new Failure(
          Failure.CLONE_FAILED,
          Category.BACKEND,
          "The server does not say where the repository's files of Git LFS are.");

  static final Failure OTHER_CONTENT =
      new Failure(
          Failure.CLONE_FAILED,
          Category.BACKEND,
          "A file of Git LFS has another content than the repository says.");

  static final Failure PLACE =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CALLER,
          "The server keeps a file of Git LFS at a place that the runner does not fetch from: it"
              + " must be https, on a server that the operator lists as git_hosts if there is such"
              + " a list.");

  static final Failure NO_LOGIN =
      new Failure(
          Failure.CLONE_FAILED,
          Category.BACKEND,
          "The server of ssh does not say where the repository's files of Git LFS are. Fetch it over"
              + " https.");

  private static final Failure REFUSED =
      new Failure(
          Failure.CLONE_FAILED,
          Category.CALLER,
          "The server does not give the repository's files of Git LFS without another credential.");

  private LfsTrouble() {}

  /// What an answer means that is not the one hoped for.
  static Failure of(int status) {
    return switch (status) {
      case 401, 403, 404 -> REFUSED;
      default -> NO_ANSWER;
    };
  }
}
