package dev.runyard.core.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceParentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00 ",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what the future brings"
      })
  void readsTheTrace(String header) {
    assertEquals(Optional.of(TRACE), TraceParent.traceId(header));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "{\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}"
      })
  void takesWhatIsNoneForAbsent(String header) {
    assertEquals(Optional.empty(), TraceParent.traceId(header));
  }

  @Test
  void spansFollowFromWhatTheyAreOf() {
    assertEquals(TraceParent.spanOf("a-1"), TraceParent.spanOf("a-1"));
    assertNotEquals(TraceParent.spanOf("a-1"), TraceParent.spanOf("a-2"));
    assertNotEquals(TraceParent.spanOf("a-1"), TraceParent.spanOf("a-1", "call"));
    assertNotEquals(TraceParent.spanOf("a-1", "call"), TraceParent.spanOf("a-2", "call"));
    assertEquals(SPAN.length(), TraceParent.spanOf("a-1", "call").length());
    assertTrue(TraceParent.spanOf("a-1").matches("[0-9a-f]{16}"));
  }
}
