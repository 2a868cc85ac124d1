package dev.runyard.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file in place of a bus of EventBridge: a line for each event, with the members by which rules
/// there choose.
public final class FileEventBus implements EventBus {
  /// Its usual name.
  public static final String FILE = "bus.jsonl";

  private static final int KEPT = 200;

  private final Path file;

  public FileEventBus(Path file) {
    this.file = file;
  }

  @Override
  public synchronized Answer publish(Published event) {
    try {
      ObjectNode line = JsonFormat.JSON.createObjectNode();
      line.put("source", "runyard");
      line.put("detail-type", event.type());
      line.put("time", JsonFormat.time(event.at()));
      line.set("detail", JsonFormat.JSON.readTree(event.detail()));
      Files.write(
          file,
          (line + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return new Answer.Status(KEPT, Optional.empty());
    } catch (IOException _) {
      return new Answer.None(Trouble.NOT_KEPT);
    }
  }
}
