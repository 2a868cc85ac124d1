package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileEventBusTest {
  private static final int BYTES_MAX = 4_000;

  @TempDir private Path folder;

  @Test
  void mendsALineThatACrashCutOff() throws IOException {
    publish(1);
    Files.writeString(file(), "{\"source\":\"run", StandardOpenOption.APPEND);

    publish(2);

    assertEquals(List.of(1, 2), numbers(file()));
  }

  /// Longer than what is looked at in one step.
  @Test
  void mendsALongLineWithoutAWholeOneBefore() throws IOException {
    Files.writeString(file(), "x".repeat(200_000));

    publish(1);

    assertEquals(List.of(1), numbers(file()));
  }

  @Test
  void keepsTheNewestEventsInTwoFilesOfBoundedSize() throws IOException {
    EventBus bus = new FileEventBus(file(), BYTES_MAX);
    int count = 200;
    for (int i = 0; i < count; i++) {
      assertInstanceOf(Answer.Status.class, bus.publish(event(i)));
    }

    assertTrue(Files.size(file()) <= BYTES_MAX);
    assertTrue(Files.size(full()) <= BYTES_MAX);
    List<Integer> kept = new ArrayList<>(numbers(full()));
    kept.addAll(numbers(file()));
    assertEquals(count - 1, kept.getLast());
    for (int i = 1; i < kept.size(); i++) {
      assertEquals(kept.get(i - 1) + 1, kept.get(i));
    }
    assertTrue(kept.size() > BYTES_MAX / 200, "as much is kept as there is room");
  }

  @Test
  void keepsOneFileWhileThereIsRoom() throws IOException {
    publish(1);
    publish(2);

    assertEquals(List.of(1, 2), numbers(file()));
    assertFalse(Files.exists(full()));
  }

  private void publish(int number) {
    assertInstanceOf(Answer.Status.class, new FileEventBus(file()).publish(event(number)));
  }

  private static EventBus.Published event(int number) {
    return new EventBus.Published(
        "run.completed", Instant.parse("2026-03-01T12:00:00Z"), "{\"n\":%d}".formatted(number));
  }

  private static List<Integer> numbers(Path file) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode event = JsonFormat.JSON.readTree(line);
      numbers.add(event.path("detail").path("n").asInt(-1));
    }
    return numbers;
  }

  private Path file() {
    return folder.resolve(FileEventBus.FILE);
  }

  private Path full() {
    return folder.resolve(FileEventBus.FULL_FILE);
  }
}
