package dev.runyard.runner.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.isolation.GitCell;
import dev.runyard.runner.process.Stdin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The memory of git for what servers send.
final class GitMemoryTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int BASE_BYTES = 15 * 1024 * 1024;
  private static final int COPIES = (int) (GitCell.GIT_MEMORY_BYTES_MAX / BASE_BYTES) + 1;
  private static final int BLOB = 3;
  private static final int DELTA_OF_ID = 7;

  @TempDir private Path folder;

  @Test
  void isBounded() throws Exception {
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      GitCommands git = rig.checkouts().git().orElseThrow();
      assertTrue(EmptyTree.init(git).isEmpty());
      PreparationSteps.Ended ended =
          git.local(
              new Stdin.Bytes(ByteBuffer.wrap(bomb())),
              LONG,
              _ -> {},
              () -> false,
              "index-pack",
              "--stdin");
      Failure failure = GitTrouble.ofFetch(ended);
      assertEquals(Failure.WORKSPACE_TOO_LARGE, failure.code(), ended::toString);
      assertEquals(GitTrouble.NO_MEMORY, failure);
    }
  }

  @Test
  void isGivenBackBeforeTheRunnersWhereThereIsNone() throws Exception {
    try (CheckoutRig rig = new CheckoutRig(folder)) {
      List<String> lines = new ArrayList<>();
      rig.checkouts()
          .git()
          .orElseThrow()
          .local(
              new Stdin.Closed(),
              LONG,
              lines::add,
              () -> false,
              "-c",
              "alias.first=!until grep -x 1000 /proc/$PPID/oom_score_adj; do sleep 0.05; done",
              "first");
      assertEquals(List.of("1000"), lines);
    }
  }

  /// A pack of a content that compresses well, and of one that is many copies of it, of which each
  /// takes few bytes.
  private static byte[] bomb() throws IOException, NoSuchAlgorithmException {
    byte[] base = new byte[BASE_BYTES];
    MessageDigest id = MessageDigest.getInstance("SHA-1");
    id.update(("blob " + base.length + "\0").getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream delta = new ByteArrayOutputStream();
    number(delta, BASE_BYTES);
    number(delta, (long) COPIES * BASE_BYTES);
    for (int i = 0; i < COPIES; i++) {
      delta.write(0b1111_0000);
      delta.write(BASE_BYTES);
      delta.write(BASE_BYTES >> 8);
      delta.write(BASE_BYTES >> 16);
    }
    ByteArrayOutputStream pack = new ByteArrayOutputStream();
    pack.write("PACK".getBytes(StandardCharsets.US_ASCII));
    pack.write(ByteBuffer.allocate(8).putInt(2).putInt(2).array());
    head(pack, BLOB, base.length);
    deflate(pack, base);
    head(pack, DELTA_OF_ID, delta.size());
    pack.write(id.digest(base));
    deflate(pack, delta.toByteArray());
    pack.write(MessageDigest.getInstance("SHA-1").digest(pack.toByteArray()));
    return pack.toByteArray();
  }

  private static void head(ByteArrayOutputStream out, int type, int size) {
    int rest = size >> 4;
    out.write((rest > 0 ? 0x80 : 0) + (type << 4) + (size & 0xf));
    if (rest > 0) {
      number(out, rest);
    }
  }

  private static void number(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest > 0x7f) {
      out.write((int) (rest & 0x7f) + 0x80);
      rest >>= 7;
    }
    out.write((int) rest);
  }

  private static void deflate(ByteArrayOutputStream out, byte[] content) throws IOException {
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out)) {
      deflated.write(content);
    }
  }
}
