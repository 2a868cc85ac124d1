package dev.runyard.core.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.limits.Limits;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InputCheckTest {
  @Test
  void takesMessagesOfTheUserAndOfAgents() {
    for (String role : List.of("user", "agent", "agent/echo-2_x")) {
      assertEquals(Optional.empty(), InputCheck.problem(List.of(Message.text(role, "hi"))), role);
    }
    for (String role : List.of("", "system", "agent/", "agent/a b", "User")) {
      assertEquals(
          Optional.of("role must be user, agent or agent/<name>"),
          InputCheck.problem(List.of(Message.text(role, "hi"))),
          role);
    }
  }

  @Test
  void boundsMessagesAndTheirParts() {
    Message hi = Message.text("user", "hi");
    assertTrue(InputCheck.problem(Collections.nCopies(Limits.INPUT_MESSAGES_MAX, hi)).isEmpty());
    assertEquals(
        Optional.of("a run begins with at most 256 messages"),
        InputCheck.problem(Collections.nCopies(Limits.INPUT_MESSAGES_MAX + 1, hi)));

    assertTrue(problem(Collections.nCopies(Limits.INPUT_PARTS_MAX, part("x"))).isEmpty());
    assertEquals(
        Optional.of("a message has at most 256 parts"),
        problem(Collections.nCopies(Limits.INPUT_PARTS_MAX + 1, part("x"))));
  }

  @Test
  void aPartIsInlineOrAtAnAddress() {
    assertTrue(problem(List.of(part("text/plain", null, "https://a", null, null))).isEmpty());
    assertEquals(
        Optional.of("a part has content or content_url, not both"),
        problem(List.of(part("text/plain", "x", "https://a", null, null))));
  }

  @Test
  void boundsContentTypes() {
    String most = "x".repeat(Limits.CONTENT_TYPE_BYTES_MAX);
    assertTrue(problem(List.of(part(most, "x", null, null, null))).isEmpty());
    assertEquals(
        Optional.of("content_type has at most 128 bytes"),
        problem(List.of(part(most + "x", "x", null, null, null))));
  }

  /// Whatever of a part is stored counts.
  @Test
  void boundsAllTextTogetherLikeAPrompt() {
    String half = "x".repeat(Limits.PROMPT_BYTES_MAX / 2);
    JsonNode metadata = JsonNodeFactory.instance.textNode(half.substring(2));
    for (MessagePart other :
        List.of(
            part(half),
            part("text/plain", null, half, null, null),
            part("text/plain", null, null, half, null),
            part("text/plain", null, null, null, metadata))) {
      assertEquals(Optional.empty(), problem(List.of(part(half), other)));
      assertEquals(
          Optional.of("the messages have at most 262144 bytes"),
          InputCheck.problem(
              List.of(
                  new Message("user", List.of(part(half), other), null, null),
                  Message.text("user", "x"))));
    }
  }

  @Test
  void aMessagesTextIsThatOfItsTextualParts() {
    MessagePart image = new MessagePart("image/png", "aGk=", null, "base64", null, null);
    MessagePart encoded = new MessagePart("text/plain", "aGk=", null, "base64", null, null);
    MessagePart away = part("text/plain", null, "https://a", null, null);
    Message message =
        new Message("user", List.of(part("one"), image, encoded, away, part("two")), null, null);

    assertEquals("one\ntwo", message.text());
    assertTrue(part("one").textual());
    assertFalse(image.textual());
    assertFalse(encoded.textual());
  }

  @Test
  void onlyTextWithoutNameOrMetadataIsPlain() {
    assertTrue(part("one").plain());
    assertFalse(part("text/plain", "one", null, "name", null).plain());
    assertFalse(part("text/markdown", "one", null, null, null).plain());
    assertFalse(part("text/plain", null, null, null, null).plain());
  }

  @Test
  void outputWithoutATypeIsText() {
    assertTrue(OutputPart.CONTINUED.textual());
    assertTrue(OutputPart.CONTINUED.goesOn());
    OutputPart markdown = output("text/markdown", null, false);
    assertTrue(markdown.textual());
    assertFalse(markdown.goesOn());
    assertFalse(output("image/png", null, null).textual());
    assertFalse(output("text/plain", "base64", null).textual());
    assertFalse(output(null, null, null).goesOn());
  }

  private static OutputPart output(
      @Nullable String type, @Nullable String encoding, @Nullable Boolean more) {
    return new OutputPart(type, null, encoding, null, null, more, null);
  }

  private static Optional<String> problem(List<MessagePart> parts) {
    return InputCheck.problem(List.of(new Message("user", parts, null, null)));
  }

  private static MessagePart part(String text) {
    return MessagePart.text(text);
  }

  private static MessagePart part(
      String type,
      @Nullable String content,
      @Nullable String url,
      @Nullable String name,
      @Nullable JsonNode metadata) {
    return new MessagePart(type, content, url, null, name, metadata);
  }
}
