package dev.runyard.cli;

import dev.runyard.cli.client.NewRun;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say how a change is published.
final class PublishOption {
  @Option(
      names = "--branch",
      paramLabel = "BRANCH",
      description = "New branch that the change is published as.")
  private @Nullable String branch;

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      description = "Message of its commit; names the run when absent.")
  private @Nullable String message;

  @Option(names = "--no-push", description = "Only tell the commit's id; send nothing.")
  private boolean noPush;

  @Option(names = "--pr", description = "Make a pull request for the branch.")
  private boolean pull;

  @Option(
      names = "--pr-title",
      paramLabel = "TEXT",
      description = "Its title; the message's first line when absent.")
  private @Nullable String title;

  @Option(names = "--pr-body", paramLabel = "TEXT", description = "Its text.")
  private @Nullable String body;

  @Option(
      names = "--pr-base",
      paramLabel = "BRANCH",
      description = "Branch to merge into; the one the run began with when absent.")
  private @Nullable String base;

  @Option(names = "--pr-draft", description = "Make it a draft.")
  private boolean draft;

  @Option(
      names = "--publish-credential",
      paramLabel = "NAME",
      description = "Secret of the operator to publish with; the one to fetch with when absent.")
  private @Nullable String credential;

  @Option(
      names = "--author",
      paramLabel = "NAME <EMAIL>",
      description = "Author of the commit; Runyard when absent.")
  private @Nullable String author;

  /// The member of the request; null if no branch is named.
  NewRun.@Nullable Publish publish() {
    return branch == null
        ? null
        : new NewRun.Publish(
            branch, message, noPush ? Boolean.FALSE : null, pull(), credential, author());
  }

  private NewRun.@Nullable PullRequest pull() {
    boolean wanted = pull || draft || title != null || body != null || base != null;
    return wanted ? new NewRun.PullRequest(title, body, base, draft ? Boolean.TRUE : null) : null;
  }

  private NewRun.@Nullable Author author() {
    String named = author;
    if (named == null) {
      return null;
    }
    int at = named.indexOf('<');
    return at < 0 || !named.endsWith(">")
        ? new NewRun.Author(named, "")
        : new NewRun.Author(
            named.substring(0, at).strip(), named.substring(at + 1, named.length() - 1));
  }
}
