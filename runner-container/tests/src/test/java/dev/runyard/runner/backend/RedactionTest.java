package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.MessagePart;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.core.transcript.MessageReader;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedactionTest {
  private static final String SECRET = "sk-Canary/7+\"x\\y%z=0123456789";
  private static final String CUT = "[redacted KEY]";

  private final Redaction redaction = new Redaction();

  RedactionTest() {
    redaction.know("KEY", SECRET);
  }

  @Test
  void cutsOutAValueInWhateverFormItIsPrinted() {
    assertEquals("a " + CUT + " b", redaction.text("a " + SECRET + " b"));
    String json = JsonNodeFactory.instance.textNode(SECRET).toString();
    assertEquals("\"" + CUT + "\"", redaction.text(json));
    String percent = URLEncoder.encode(SECRET, StandardCharsets.UTF_8);
    assertEquals("k=" + CUT, redaction.text("k=" + percent));
    String small = percent.replace("%2F", "%2f").replace("%2B", "%2b").replace("%5C", "%5c");
    assertEquals("k=" + CUT, redaction.text("k=" + small.replace("%3D", "%3d")));
    assertEquals(CUT + CUT, redaction.text(SECRET + SECRET));
  }

  @Test
  void cutsOutAValueThatIsEscapedOrEncodedAsProgramsDoIt() {
    String secret = "t\u00f6p/s3cret \"of\" the\tteam!(1)*'&=\\";
    Redaction own = new Redaction();
    own.know("KEY", secret);
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    String json = new String(JsonStringEncoder.getInstance().quoteAsString(secret));
    for (String form :
        List.of(
            json,
            json.replace("/", "\\/"),
            json.replace("\u00f6", "\\u00f6"),
            new String(JsonStringEncoder.getInstance().quoteAsString(json)),
            json.replace("&", "\\u0026"),
            json.replace("'", "\\u0027").replace("&", "\\u0026").replace("=", "\\u003d"),
            json.replace("\\\"", "\\u0022").replace("'", "\\u0027").replace("&", "\\u0026"),
            "t%C3%B6p%2Fs3cret%20%22of%22%20the%09team!(1)*'%26%3D%5C",
            "t%C3%B6p/s3cret%20%22of%22%20the%09team!(1)*'&=%5C",
            "t%c3%b6p%2fs3cret%20%22of%22%20the%09team%21%281%29%2a%27%26%3d%5c",
            URLEncoder.encode(secret, StandardCharsets.UTF_8),
            HexFormat.of().withPrefix("%").formatHex(bytes),
            HexFormat.of().formatHex(bytes),
            HexFormat.of().withUpperCase().formatHex(bytes),
            new StringBuilder(HexFormat.of().formatHex(bytes)).insert(60, '\n').toString())) {
      assertEquals("<" + CUT + ">", own.text("<" + form + ">"), form);
    }
  }

  @Test
  void leavesNoBeginningOfAValueWhereATextWasCut() {
    for (int at = 0; at < SECRET.length(); at++) {
      String cut = "echo " + SECRET.substring(0, at) + Bounds.TRUNCATED;
      assertEquals("echo " + Bounds.TRUNCATED, redaction.text(cut));
    }
    assertEquals(
        "echo " + CUT + Bounds.TRUNCATED, redaction.text("echo " + SECRET + Bounds.TRUNCATED));
  }

  @Test
  void leavesOutAFileWhoseNameIsASecret() {
    StoredFiles files = redaction.files();
    assertTrue(files.keeps("a/b"));
    assertFalse(files.keeps("a/" + SECRET + "/b"));
    assertEquals(1, files.changed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "abc", "KEY=", "\n"})
  void cutsOutAValueInBase64WhateverSurroundsIt(String before) {
    String rest = "-" + "tail".repeat(20);
    for (String after : List.of("", "x", rest)) {
      byte[] bytes = (before + SECRET + after).getBytes(StandardCharsets.UTF_8);
      for (Base64.Encoder encoder :
          List.of(
              Base64.getEncoder(),
              Base64.getUrlEncoder().withoutPadding(),
              Base64.getMimeEncoder(76, "\n".getBytes(StandardCharsets.UTF_8)),
              Base64.getMimeEncoder(),
              Base64.getEncoder().withoutPadding(),
              Base64.getUrlEncoder())) {
        String clean = redaction.text(encoder.encodeToString(bytes));
        assertTrue(clean.contains(CUT), clean);
      }
    }
  }

  @Test
  void cutsOutAValueAcrossThePiecesOfAText() {
    String text = "Before " + SECRET + " between " + SECRET.substring(0, 12) + ", after";
    String clean = "Before " + CUT + " between " + SECRET.substring(0, 12) + ", after";
    for (int first = 0; first <= text.length(); first++) {
      for (int second = first; second <= text.length(); second += 5) {
        Redaction own = new Redaction();
        own.know("KEY", SECRET);
        List<RunEvent> events = new ArrayList<>();
        events.addAll(own.of(new RunEvent.ModelDelta(text.substring(0, first))));
        events.addAll(own.of(new RunEvent.ModelDelta(text.substring(first, second))));
        events.addAll(own.of(new RunEvent.ModelDelta(text.substring(second))));
        events.addAll(own.of(new RunEvent.ModelCompleted()));
        assertEquals(clean, text(events));
        assertTrue(events.contains(new RunEvent.OutputRedacted("KEY", 1)));
      }
    }
  }

  @Test
  void cutsOutAValueAcrossThePiecesOfAMessagePart() {
    String before = "x".repeat(Limits.TEXT_BYTES_MAX - SECRET.length() / 2);
    String after = "y".repeat(Limits.TEXT_BYTES_MAX);
    MessagePart part = part("text/" + SECRET, before + SECRET + after);
    List<RunEvent> pieces = MessageEvents.part(part);
    assertTrue(pieces.size() > 2);
    assertFalse(pieces.stream().anyMatch(piece -> piece.toString().contains(SECRET + "y")));
    List<RunEvent> events = new ArrayList<>();
    for (RunEvent piece : pieces) {
      events.addAll(redaction.of(piece));
    }
    events.addAll(redaction.of(new RunEvent.ModelDelta("sk-")));
    events.addAll(redaction.of(new RunEvent.ModelCompleted()));
    assertEquals(
        List.of(part("text/" + CUT, before + CUT + after), part(MessagePart.PLAIN, "sk-")),
        parts(events));
  }

  @Test
  void keepsThePiecesOfAMessagePartTogetherWhateverComesBetween() {
    List<RunEvent> events = new ArrayList<>();
    events.addAll(
        redaction.of(new RunEvent.ModelDelta("a " + SECRET.substring(0, 9), OutputPart.CONTINUED)));
    events.addAll(redaction.of(new RunEvent.RuntimeWarning("odd", "between")));
    events.addAll(redaction.of(new RunEvent.ModelDelta("b")));
    assertEquals(
        List.of(part(MessagePart.PLAIN, "a " + SECRET.substring(0, 9) + "b")), parts(events));
  }

  private static MessagePart part(String contentType, String content) {
    return new MessagePart(contentType, content, null, null, null, null);
  }

  private static List<MessagePart> parts(List<RunEvent> events) {
    MessageReader reader = new MessageReader("agent/a");
    List<MessagePart> parts = new ArrayList<>();
    for (RunEvent event : events) {
      for (MessageReader.Boundary boundary :
          reader.read(
              new StoredEvent(
                  new RunKey("acme", "019c0000-0000-7000-8000-000000000001"),
                  "session-1",
                  null,
                  1,
                  Instant.EPOCH,
                  event))) {
        if (boundary instanceof MessageReader.Boundary.Part(MessagePart part)) {
          parts.add(part);
        }
      }
    }
    return parts;
  }

  @Test
  void holdsBackNothingThatIsNoBeginningOfASecret() {
    assertEquals(
        List.of(new RunEvent.ModelDelta("Hello")), redaction.of(new RunEvent.ModelDelta("Hello")));
    assertEquals(
        List.of(new RunEvent.ModelDelta("key: ")),
        redaction.of(new RunEvent.ModelDelta("key: sk-")));
    assertEquals(
        List.of(new RunEvent.ModelDelta("sk-ip")), redaction.of(new RunEvent.ModelDelta("ip")));
    redaction.of(new RunEvent.ModelDelta(SECRET.substring(0, 9)));
    assertEquals(List.of(new RunEvent.ModelDelta(SECRET.substring(0, 9))), redaction.rest(false));
    redaction.of(new RunEvent.ReasoningDelta("sk-"));
    assertEquals(
        List.of(new RunEvent.ReasoningDelta("sk-"), new RunEvent.ModelDelta("x")),
        redaction.of(new RunEvent.ModelDelta("x")));
  }

  @Test
  void cutsValuesOutOfEveryTextOfAnEvent() {
    for (RunEvent event :
        List.of(
            new RunEvent.ToolStarted("c", "sh", "tool", "echo " + SECRET),
            new RunEvent.ToolProgress("c", SECRET, "tool", SECRET, null),
            new RunEvent.ToolResult("c", "sh", "tool", 0, "x".repeat(9) + SECRET, 9),
            new RunEvent.ToolFailed(SECRET, "sh", "tool", 1, SECRET, 9),
            new RunEvent.RuntimeWarning("odd", SECRET),
            new RunEvent.RuntimeError("odd", "no " + SECRET),
            new RunEvent.ArtifactChanged("c", "dir/" + SECRET, null),
            new RunEvent.SessionUpdated(SECRET),
            new RunEvent.Other(
                "kept", JsonNodeFactory.instance.objectNode().put(SECRET, SECRET)))) {
      List<RunEvent> events = redaction.of(event);
      assertFalse(events.toString().contains("Canary"), events.toString());
      assertTrue(events.toString().contains(CUT), events.toString());
      assertEquals(event.getClass(), events.getFirst().getClass());
    }
    Question question =
        redaction.of(Question.of("a", ActionType.PERMISSION, "May I echo " + SECRET + "?"));
    assertEquals("May I echo " + CUT + "?", question.prompt());
  }

  @Test
  void tellsOfASecretAtFirstAndHowOftenAtTheEnd() {
    RunEvent.RuntimeWarning twice = new RunEvent.RuntimeWarning("odd", SECRET + SECRET);
    assertEquals(new RunEvent.OutputRedacted("KEY", 2), redaction.of(twice).getLast());
    assertEquals(1, redaction.of(twice).size());
    assertEquals(List.of(new RunEvent.OutputRedacted("KEY", 4)), redaction.rest(true));
    assertEquals(List.of(), redaction.rest(true));
  }

  @Test
  void doesNotLookForValuesThatAreTooShort() {
    Redaction own = new Redaction();
    own.know("SHORT", "1234567");
    RunEvent event = new RunEvent.ModelDelta("1234567 and 123");
    assertEquals(List.of(event), own.of(event));
  }

  @Test
  void cutsOutEachLineOfAValueWithSeveral() {
    redaction.know("PEM", "-----BEGIN-----\nMIIEvQIBADANBg\n-----END-----\n");
    assertEquals("x [redacted PEM] y", redaction.text("x MIIEvQIBADANBg y"));
  }

  @Test
  void findsWhatASimpleSearchFinds() {
    Random random = new Random(7);
    Redaction own = new Redaction();
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      secrets.add(letters(random, 8 + random.nextInt(4)));
      own.know("S" + i, secrets.getLast());
    }
    for (int round = 0; round < 200; round++) {
      StringBuilder text = new StringBuilder(letters(random, random.nextInt(30)));
      text.append(secrets.get(random.nextInt(20))).append(letters(random, random.nextInt(30)));
      String clean = own.text(text.toString());
      assertTrue(new TreeSet<>(secrets).stream().noneMatch(clean::contains), clean);
    }
  }

  @Test
  void keepsFilesAsLongAsTheyAre() throws IOException {
    String line =
        "{\"key\":\"" + SECRET.replace("\\", "\\\\").replace("\"", "\\\"") + "\",\"ö\":1}\n";
    byte[] file = line.repeat(10_000).getBytes(StandardCharsets.UTF_8);

    byte[] clean = redaction.files().content(new ByteArrayInputStream(file)).readAllBytes();

    assertEquals(file.length, clean.length);
    assertFalse(new String(clean, StandardCharsets.UTF_8).contains("Canary"));
    assertEquals(
        10_000, new String(clean, StandardCharsets.UTF_8).split("\"ö\":1}", -1).length - 1);
    byte[] other = "nothing here".getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(
        other, redaction.files().content(new ByteArrayInputStream(other)).readAllBytes());
  }

  private static String letters(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append((char) ('a' + random.nextInt(3)));
    }
    return text.toString();
  }

  private static String text(List<RunEvent> events) {
    StringBuilder text = new StringBuilder();
    for (RunEvent event : events) {
      if (event instanceof RunEvent.ModelDelta delta) {
        text.append(delta.text());
      }
    }
    return text.toString();
  }
}
