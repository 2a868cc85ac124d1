package dev.runyard.agent.host;

/// The inbox of one execution, and how messages get into it.
///
/// @param inbox closed when the execution ends
/// @param post accepts a message, or says that it does not
public record Mailbox(BoundedInbox inbox, Post post) {

  /// Accepts messages that are sent within the process.
  @FunctionalInterface
  public interface Post {
    boolean accept(String content);
  }
}
