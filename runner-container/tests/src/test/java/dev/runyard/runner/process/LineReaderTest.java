package dev.runyard.runner.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineReaderTest {

  @Test
  void endsLinesAtLineFeedsAndAtTheEnd() throws IOException {
    assertEquals(List.of(text("a"), text(""), text("b")), lines("a\n\nb"));
    assertEquals(List.of(text("a")), lines("a\n"));
    assertEquals(List.of(), lines(""));
  }

  @Test
  void dropsOneCarriageReturnBeforeALineFeedOnly() throws IOException {
    assertEquals(
        List.of(text("a"), text("b\r"), text("c\rd"), text(""), text("e\r")),
        lines("a\r\nb\r\r\nc\rd\n\r\ne\r"));
  }

  @Test
  void keepsControlCharactersAndSeparators() throws IOException {
    String odd = "\0\u0007\u001b[31m\u2028\u0085\u202e\ufffe";

    assertEquals(List.of(text(odd)), lines(odd + "\n"));
  }

  @Test
  void dropsAByteOrderMarkAtTheVeryStartOnly() throws IOException {
    assertEquals(List.of(text("a"), text("\ufeffb")), lines("\ufeffa\n\ufeffb\n"));
    assertEquals(List.of(text("")), lines("\ufeff\r\n"));
    assertEquals(List.of(), lines("\ufeff"));
  }

  @Test
  void replacesWhatIsNotUtf8AndSaysSo() throws IOException {
    byte[] stray = {'a', (byte) 0xFF, 'b', '\n'};
    byte[] surrogate = {(byte) 0xED, (byte) 0xA0, (byte) 0x80, '\n'};
    byte[] overlong = {(byte) 0xC0, (byte) 0x80, '\n'};
    byte[] cutShort = {'a', (byte) 0xE2, (byte) 0x82};

    assertEquals(List.of(new Line.Text("a\ufffdb", true)), lines(stray));
    for (byte[] malformed : List.of(surrogate, overlong, cutShort)) {
      Line.Text line = assertInstanceOf(Line.Text.class, lines(malformed).getFirst());
      assertTrue(line.replaced() && line.text().endsWith("\ufffd"), line.toString());
    }
  }

  @Test
  void doesNotCallAReplacementCharacterOfTheAgentsOwnReplaced() throws IOException {
    assertEquals(List.of(text("\ufffd")), lines("\ufffd\n"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 32_767, 32_768, 32_769})
  void keepsCharactersWholeHoweverTheBytesArrive(int piece) throws IOException {
    String line = "é€𝄞ﬀ".repeat(20_000);
    byte[] bytes = (line + "\r\n" + line).getBytes(UTF_8);

    assertEquals(List.of(text(line), text(line)), lines(new Pieces(bytes, piece)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAPlainSplitOnRandomInput(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] alphabet = "ab\r\n\n\0é€𝄞".getBytes(UTF_8);
    byte[] bytes = new byte[random.nextInt(200_000)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }

    List<String> read =
        lines(new Pieces(bytes, 1 + random.nextInt(50_000))).stream()
            .map(line -> assertInstanceOf(Line.Text.class, line).text())
            .toList();

    assertEquals(plainSplit(bytes), read);
  }

  @Test
  void keepsALineOfExactlyTheLimit() throws IOException {
    String longest = "x".repeat(LineReader.LINE_BYTES_MAX);

    assertEquals(
        List.of(text(longest), text("next"), text(longest)),
        lines("\ufeff" + longest + "\r\nnext\n" + longest));
  }

  @Test
  void cutsALineOneByteOverTheLimitAndContinues() throws IOException {
    String tooLong = "x".repeat(LineReader.LINE_BYTES_MAX + 1);
    Line oversize =
        new Line.Oversize("x".repeat(LineReader.PREVIEW_BYTES_MAX), LineReader.LINE_BYTES_MAX + 1);

    assertEquals(
        List.of(oversize, text("next"), oversize),
        lines("\ufeff" + tooLong + "\r\nnext\n" + tooLong));
  }

  @Test
  void cutsAPreviewBetweenCharacters() throws IOException {
    for (int shift = 0; shift < 4; shift++) {
      String start = "x".repeat(shift);
      Line line = lines(start + "𝄞".repeat(LineReader.LINE_BYTES_MAX / 4 + 1)).getFirst();

      String preview = assertInstanceOf(Line.Oversize.class, line).preview();
      assertEquals(
          start + "𝄞".repeat((LineReader.PREVIEW_BYTES_MAX - shift) / 4),
          preview,
          "shift " + shift);
    }
  }

  @Test
  void readsAHugeLineInBoundedMemory() throws IOException {
    long total = 256L * 1024 * 1024;
    LineReader reader = new LineReader(new Endless(total));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    Optional<Line> line = reader.next();

    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(total, assertInstanceOf(Line.Oversize.class, line.orElseThrow()).totalBytes());
    assertEquals(Optional.empty(), reader.next());
    assertTrue(allocated < 4 * LineReader.LINE_BYTES_MAX, allocated + " bytes allocated");
  }

  @Test
  void readsOnlyWhenAskedAndNoFurtherThanOneChunk() throws IOException {
    Pieces source = new Pieces("line\n".repeat(100_000).getBytes(UTF_8), 10_000);
    LineReader reader = new LineReader(source);
    assertEquals(0, source.taken());

    for (int i = 0; i < 2_000; i++) {
      reader.next();
    }
    assertEquals(10_000, source.taken());
    reader.next();
    assertEquals(20_000, source.taken());
  }

  private static Line text(String text) {
    return new Line.Text(text, false);
  }

  private static List<Line> lines(String text) throws IOException {
    return lines(text.getBytes(UTF_8));
  }

  private static List<Line> lines(byte[] bytes) throws IOException {
    return lines(new ByteArrayInputStream(bytes));
  }

  private static List<Line> lines(InputStream stream) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (LineReader reader = new LineReader(stream)) {
      for (Optional<Line> line = reader.next(); line.isPresent(); line = reader.next()) {
        lines.add(line.get());
      }
    }
    return lines;
  }

  private static List<String> plainSplit(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (byte b : bytes) {
      if (b != '\n') {
        line.write(b);
        continue;
      }
      byte[] content = line.toByteArray();
      boolean windows = content.length > 0 && content[content.length - 1] == '\r';
      lines.add(new String(Arrays.copyOf(content, content.length - (windows ? 1 : 0)), UTF_8));
      line.reset();
    }
    if (line.size() > 0) {
      lines.add(line.toString(UTF_8));
    }
    return lines;
  }

  /// Hands out its bytes a few at a time, as a pipe does.
  private static final class Pieces extends InputStream {
    private final byte[] bytes;
    private final int piece;
    private int taken;

    Pieces(byte[] bytes, int piece) {
      this.bytes = bytes;
      this.piece = piece;
    }

    int taken() {
      return taken;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one byte at a time is not how it is read");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = Math.min(Math.min(length, piece), bytes.length - taken);
      if (count == 0) {
        return -1;
      }
      System.arraycopy(bytes, taken, target, offset, count);
      taken += count;
      return count;
    }
  }

  /// One line of this many bytes that exists nowhere.
  private static final class Endless extends InputStream {
    private long left;

    Endless(long left) {
      this.left = left;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one byte at a time is not how it is read");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = (int) Math.min(length, left);
      Arrays.fill(target, offset, offset + count, (byte) 'x');
      left -= count;
      return count == 0 ? -1 : count;
    }
  }
}
