package dev.runyard.local.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/// What the scripted model does with one request, independent of the wire format.
///
/// `step` counts from 0; `directive` is the source of the step's directives, empty without a
/// script.
public sealed interface ModelReply {

  int step();

  String directive();

  int delayMillis();

  /// Parts that are sent in order, and how the reply ends.
  record Answer(
      int step, String directive, int delayMillis, List<Part> parts, Tokens tokens, Ending ending)
      implements ModelReply {
    public Answer {
      parts = List.copyOf(parts);
    }

    boolean callsTool() {
      return parts.stream().anyMatch(Part.ToolCall.class::isInstance);
    }
  }

  /// An HTTP error in place of a reply.
  record Failure(int step, String directive, int delayMillis, int status) implements ModelReply {}

  /// How an answer ends.
  sealed interface Ending {

    record Complete() implements Ending {}

    /// The provider reports a failure with this code, after its status was sent.
    record Fail(String code) implements Ending {}

    /// Nothing more is sent, the connection stays open.
    record Hang() implements Ending {}

    /// The connection breaks.
    record Drop() implements Ending {}
  }

  /// A piece of an answer.
  sealed interface Part {

    record Reasoning(String text) implements Part {}

    /// A text in pieces, which are sent `pauseMillis` apart.
    record Text(List<String> deltas, int pauseMillis) implements Part {
      public Text {
        deltas = List.copyOf(deltas);
      }

      String whole() {
        return String.join("", deltas);
      }
    }

    /// `arguments` is JSON text, or plain text for a free-form tool.
    record ToolCall(OfferedTool tool, String arguments) implements Part {
      private static final ObjectMapper JSON = new ObjectMapper();

      /// The arguments as an object, an empty one if they are not an object.
      JsonNode argumentsTree() {
        try {
          JsonNode tree = JSON.readTree(arguments);
          return tree.isObject() ? tree : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
          return JSON.createObjectNode();
        }
      }
    }
  }
}
