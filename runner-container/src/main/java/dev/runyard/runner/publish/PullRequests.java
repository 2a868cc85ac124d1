package dev.runyard.runner.publish;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.change.Publication;
import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The pull requests of one repository, as its server offers them.
interface PullRequests {
  /// What is wanted.
  ///
  /// @param commit the branch's tip
  /// @param base the branch to merge into
  record Wanted(
      String branch, String commit, String base, String title, String body, boolean draft) {}

  /// What became of it.
  sealed interface Found {
    record There(Publication.PullRequest pull) implements Found {}

    record None() implements Found {}

    record Not(Failure failure) implements Found {}
  }

  /// Looks for one of the branch: an open one, or one of the commit that was merged or closed.
  Found find(Wanted wanted) throws InterruptedException;

  /// Makes one. None if the server says that there is one.
  Found create(Wanted wanted) throws InterruptedException;

  /// Makes sure that there is exactly one.
  default Found ensure(Wanted wanted) throws InterruptedException {
    Found found = find(wanted);
    if (!(found instanceof Found.None)) {
      return found;
    }
    Found created = create(wanted);
    return switch (created) {
      case Found.There _ -> created;
      case Found.None _ -> orElse(find(wanted), PublishTrouble.NOT_SHOWN);
      case Found.Not(Failure failure) when failure.equals(PublishTrouble.NO_ANSWER) ->
          orElse(find(wanted), failure);
      case Found.Not _ -> created;
    };
  }

  private static Found orElse(Found found, Failure failure) {
    return found instanceof Found.There ? found : new Found.Not(failure);
  }

  /// What is found in a list: the last that is open, or else the last of the commit.
  static Found listed(
      ForgeCalls.Answer answer,
      Predicate<JsonNode> open,
      Predicate<JsonNode> ofCommit,
      Function<JsonNode, Found> shown) {
    if (!answer.well()) {
      return new Found.Not(answer.failure());
    }
    Found found = new Found.None();
    Found closed = found;
    for (JsonNode one : answer.body()) {
      if (open.test(one)) {
        found = shown.apply(one);
      } else if (ofCommit.test(one)) {
        closed = shown.apply(one);
      }
    }
    return found instanceof Found.None ? closed : found;
  }

  /// The address for people, if it is one.
  static Publication.PullRequest shown(long number, Optional<String> url) {
    return new Publication.PullRequest(
        number, url.filter(text -> text.matches("https?://[\\x21-\\x7e]{1,2000}")).orElse(null));
  }
}
