package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FailureCountsTest {

  @Test
  void forgetsTheOldestConversation() {
    FailureCounts counts = new FailureCounts();
    FailureCounts.Key first = new FailureCounts.Key("first", 1);
    counts.add(first);
    counts.add(first);
    assertEquals(2, counts.of(first));
    for (int i = 0; i < FailureCounts.CONVERSATIONS_MAX; i++) {
      counts.add(new FailureCounts.Key("later", i));
    }
    assertEquals(0, counts.of(first));
    assertEquals(1, counts.of(new FailureCounts.Key("later", 0)));
  }
}
