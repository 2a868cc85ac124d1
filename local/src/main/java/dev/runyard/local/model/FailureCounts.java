package dev.runyard.local.model;

import java.util.LinkedHashMap;
import java.util.Map;

/// How often each conversation was answered with a scripted error, so that after `[[status 500
/// xN]]` the rest of its step follows.
///
/// This is all the server remembers, because a request does not say how often it was retried.
/// Beyond [#CONVERSATIONS_MAX] the oldest conversations are forgotten. Thread-safe.
final class FailureCounts {

  static final int CONVERSATIONS_MAX = 1_024;

  /// A conversation at one point of its history.
  record Key(String conversation, int history) {
    Key(Conversation conversation) {
      this(
          conversation.id(),
          31 * conversation.entries().hashCode() + conversation.model().hashCode());
    }
  }

  private final Map<Key, Integer> counts = new LinkedHashMap<>();

  synchronized int of(Key key) {
    return counts.getOrDefault(key, 0);
  }

  synchronized void add(Key key) {
    int count = of(key) + 1;
    counts.remove(key);
    counts.put(key, count);
    if (counts.size() > CONVERSATIONS_MAX) {
      counts.remove(counts.keySet().iterator().next());
    }
  }
}
