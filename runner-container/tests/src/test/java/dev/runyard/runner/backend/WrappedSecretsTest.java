package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets among digits that programs break into lines.
final class WrappedSecretsTest {
  private static final String CUT = "[redacted KEY]";

  /// How long the lines are that `xxd -p`, `openssl base64` and `base64` print.
  private static final int XXD_DIGITS = 60;

  private static final int OPENSSL_DIGITS = 64;
  private static final int BASE64_DIGITS = 76;

  @ParameterizedTest
  @ValueSource(ints = {8, 32, 57, 108, 200})
  void areFoundAsXxdPrintsThem(int length) {
    String secret = secret(length);
    for (int before = 0; before < XXD_DIGITS; before++) {
      String digits = "0".repeat(before) + hex(secret) + "00".repeat(XXD_DIGITS);
      assertClean(secret, digits, XXD_DIGITS, "\n");
      assertClean(secret, digits.toUpperCase(Locale.ROOT), XXD_DIGITS, "\n");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 57, 58, 108, 200})
  void areFoundAsOpensslAndBase64PrintThem(int length) {
    String secret = secret(length);
    for (int before = 0; before < BASE64_DIGITS; before++) {
      byte[] bytes = ("x".repeat(before) + secret + "y".repeat(9)).getBytes(StandardCharsets.UTF_8);
      for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
        assertClean(secret, encoder.encodeToString(bytes), OPENSSL_DIGITS, "\n");
        assertClean(secret, encoder.encodeToString(bytes), BASE64_DIGITS, "\n");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\n", "\r\n", "\r", "\\n", "\\r\\n", "\\\\n", "\\\\r\\\\n", "\n      ", "\\n\\t"})
  void areFoundHoweverALineEndIsWritten(String end) {
    String secret = secret(108);
    assertClean(secret, base64(secret), BASE64_DIGITS, end);
    assertClean(secret, hex(secret), XXD_DIGITS, end);
  }

  @Test
  void areFoundWhereAJsonTextEscapesTheSlashesOfTheirDigits() {
    String secret = "???>>>???>>>???>>>";
    assertTrue(base64(secret).contains("/"));

    assertEquals(CUT, known(secret).text(base64(secret).replace("/", "\\/")));
  }

  @ParameterizedTest
  @ValueSource(ints = {108, 200})
  void areFoundAcrossThePiecesOfAText(int length) {
    String secret = secret(length);
    String text = "is:\n" + wrapped("QUJD" + base64(secret), BASE64_DIGITS, "\r\n") + "\r\nAnd\n";
    String whole = known(secret).text(text);
    assertLeavesNothing(secret, whole);
    for (int at = 0; at <= text.length(); at++) {
      assertEquals(whole, streamed(secret, text.substring(0, at), text.substring(at)));
    }
    assertEquals(whole, streamed(secret, text.split("")));
  }

  @Test
  void leaveNoBeginningWhereATextWasCut() {
    String secret = secret(108);
    String text = wrapped(base64(secret), BASE64_DIGITS, "\n");
    for (int at = 0; at < base64(secret).length() - 2; at++) {
      assertEquals(Bounds.TRUNCATED, known(secret).text(text.substring(0, at) + Bounds.TRUNCATED));
    }
  }

  @Test
  void areFoundAcrossTheReadsOfAFile() throws IOException {
    String secret = secret(108);
    String digits = wrapped(base64(secret), BASE64_DIGITS, "\n");
    for (int before = 64 * 1024 - digits.length(); before <= 64 * 1024; before++) {
      byte[] file = (".".repeat(before) + digits + ".").getBytes(StandardCharsets.UTF_8);

      byte[] clean = known(secret).files().content(new ByteArrayInputStream(file)).readAllBytes();

      assertEquals(file.length, clean.length);
      assertLeavesNothing(secret, new String(clean, StandardCharsets.UTF_8));
    }
  }

  @Test
  void areFoundWhereverLinesEnd() {
    Random random = new Random(11);
    List<String> ends = List.of("\n", "\r\n", "\\n", "\n\n\t", "\\r\\n  ");
    for (int round = 0; round < 500; round++) {
      String secret = secret(8 + random.nextInt(100));
      String digits = "a b\n" + (random.nextBoolean() ? hex(secret) : base64(secret));
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < digits.length(); i++) {
        text.append(digits.charAt(i));
        text.append(random.nextInt(9) == 0 ? ends.get(random.nextInt(ends.size())) : "");
      }
      int at = random.nextInt(text.length());
      String clean = streamed(secret, text.substring(0, at), text.substring(at));
      assertLeavesNothing(secret, clean);
      assertEquals(known(secret).text(text.toString()), clean);
    }
  }

  @Test
  void keepTheRestOfATextAsItIs() {
    String secret = secret(32);
    String text = "one\n  two \\n C:\\new\\table\r\n-- three\\\\\n" + "\n".repeat(99) + "\\";
    assertEquals(text, known(secret).text(text));
    assertEquals("four\n", streamed(secret, "four\n"));
    String apart = hex(secret).substring(0, 20) + "\n".repeat(WrappedForms.GAP_CHARS_MAX + 1);
    assertEquals(
        List.of(new RunEvent.ModelDelta(apart)),
        known(secret).of(new RunEvent.ModelDelta(apart)),
        "held back");
  }

  private static void assertClean(String secret, String digits, int line, String end) {
    assertLeavesNothing(secret, known(secret).text(wrapped(digits, line, end)));
  }

  /// Of digits on the edge, which depend on what is beside a secret, some bits may be left.
  private static void assertLeavesNothing(String secret, String clean) {
    assertTrue(clean.contains(CUT) || clean.contains("*"), clean);
    String digits = clean.replaceAll("\\\\+[nrt]|\\s", "");
    for (String form : SecretForms.digits(secret)) {
      for (int at = 0; at + SecretForms.SECRET_BYTES_MIN <= form.length(); at++) {
        String part = form.substring(at, at + SecretForms.SECRET_BYTES_MIN);
        assertFalse(digits.contains(part), clean);
      }
    }
  }

  private static String streamed(String secret, String... pieces) {
    Redaction redaction = known(secret);
    List<RunEvent> events = new ArrayList<>();
    for (String piece : pieces) {
      events.addAll(redaction.of(new RunEvent.ModelDelta(piece)));
    }
    events.addAll(redaction.rest(true));
    StringBuilder text = new StringBuilder();
    for (RunEvent event : events) {
      text.append(event instanceof RunEvent.ModelDelta delta ? delta.text() : "");
    }
    return text.toString();
  }

  private static Redaction known(String secret) {
    Redaction redaction = new Redaction();
    redaction.know("KEY", secret);
    return redaction;
  }

  private static String secret(int length) {
    Random random = new Random(length);
    StringBuilder secret = new StringBuilder("sk-");
    while (secret.length() < length) {
      secret.append((char) ('!' + random.nextInt('~' - '!')));
    }
    return secret.toString();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String wrapped(String digits, int line, String end) {
    return digits.replaceAll("(.{" + line + "})", "$1" + Matcher.quoteReplacement(end));
  }
}
