package dev.runyard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file in place of a bus of EventBridge: a line for each event, with the members by which rules
/// there choose. Once the file is full, it takes the place of the one before it, and another is
/// begun: a bus is no archive.
public final class FileEventBus implements EventBus {
  /// Its usual name.
  public static final String FILE = "bus.jsonl";

  /// The usual name of the file that was full.
  public static final String FULL_FILE = "bus.1.jsonl";

  /// Size from which a file is full.
  public static final int FILE_BYTES_MAX = 16 * 1024 * 1024;

  private static final int KEPT = 200;
  private static final int BLOCK_BYTES = 64 * 1024;

  private final Path file;
  private final int bytesMax;

  public FileEventBus(Path file) {
    this(file, FILE_BYTES_MAX);
  }

  FileEventBus(Path file, int bytesMax) {
    this.file = file;
    this.bytesMax = bytesMax;
  }

  @Override
  public synchronized Answer publish(Published event) {
    try {
      byte[] line = line(event);
      if (Files.exists(file) && Files.size(file) + line.length > bytesMax) {
        append(new byte[0]);
        Files.move(file, file.resolveSibling(FULL_FILE), StandardCopyOption.REPLACE_EXISTING);
      }
      append(line);
      return new Answer.Status(KEPT, Optional.empty());
    } catch (IOException _) {
      return new Answer.None(Trouble.NOT_KEPT);
    }
  }

  private static byte[] line(Published event) throws JsonProcessingException {
    ObjectNode line = JsonFormat.JSON.createObjectNode();
    line.put("source", "runyard");
    line.put("detail-type", event.type());
    line.put("time", JsonFormat.time(event.at()));
    line.set("detail", JsonFormat.JSON.readTree(event.detail()));
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// A line that a crash or a full disk cut off was told to nobody, and is removed: its event comes
  /// again.
  private void append(byte[] line) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = wholeLines(channel);
      channel.truncate(end).position(end);
      ByteBuffer rest = ByteBuffer.wrap(line);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(false);
    }
  }

  /// Where the last whole line ends.
  private static long wholeLines(FileChannel channel) throws IOException {
    long end = channel.size();
    long last = Math.max(0, end - 1);
    while (end > 0) {
      int length = (int) Math.min(BLOCK_BYTES, end - last);
      ByteBuffer block = ByteBuffer.allocate(length);
      while (block.hasRemaining()) {
        if (channel.read(block, last + block.position()) < 0) {
          throw new IOException("somebody else writes the file of the bus");
        }
      }
      for (int i = length - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return last + i + 1;
        }
      }
      end = last;
      last = Math.max(0, end - BLOCK_BYTES);
    }
    return 0;
  }
}
