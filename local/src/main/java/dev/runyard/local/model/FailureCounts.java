package dev.runyard.local.model;

import java.util.LinkedHashMap;
import java.util.Map;

/// How often each conversation was answered with a scripted error, so that `[[status 500 xN]]` can
/// give way to the rest of its step.
///
/// The only thing the server remembers: a request carries no count of its own retries. The oldest
/// conversations are forgotten beyond [#CONVERSATIONS_MAX]. Safe for use by many threads.
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
