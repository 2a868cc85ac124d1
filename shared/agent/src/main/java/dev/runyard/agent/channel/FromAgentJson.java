package dev.runyard.agent.channel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.util.Optional;

/// The JSON form of what an agent's process writes. A reader takes nothing that a Java agent cannot
/// cause: agents are code of others, which can write to the channel what it likes.
public final class FromAgentJson {
  private static final String STARTED = "started";
  private static final String TOLD = "told";
  private static final String ASKED = "asked";
  private static final String TOOK = "took";
  private static final String REFUSED = "refused";
  private static final String HISTORY = "history";
  private static final String ENDED = "ended";

  private static final String FAILURE = "failure";

  /// Most values, braces and brackets of a message. What a Java agent causes is mostly text, and a
  /// tree of many small values takes many times the memory of their text.
  static final int TOKENS_MAX = 500_000;

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  private FromAgentJson() {}

  /// A message without line end, of any length.
  public static String write(FromAgent message) {
    return switch (message) {
      case FromAgent.Started _ -> Channel.written(STARTED, NOTHING);
      case FromAgent.Told(RunEvent event) -> Channel.written(TOLD, EventJson.write(event));
      case FromAgent.Asked(Question question) ->
          Channel.written(ASKED, Channel.Records.write(question));
      case FromAgent.Took(long sequence) -> Channel.written(TOOK, LongNode.valueOf(sequence));
      case FromAgent.Refused(long sequence) -> Channel.written(REFUSED, LongNode.valueOf(sequence));
      case FromAgent.HistoryWanted _ -> Channel.written(HISTORY, NOTHING);
      case FromAgent.Ended(Optional<Failure> failure) ->
          Channel.written(
              ENDED,
              failure
                  .<JsonNode>map(
                      why ->
                          JsonNodeFactory.instance
                              .objectNode()
                              .set(FAILURE, Channel.Records.write(why)))
                  .orElse(NOTHING));
    };
  }

  /// Reads a message; empty if it is none.
  static Optional<FromAgent> read(String message) {
    try {
      Optional<Channel.Member> member = Channel.Member.of(Reading.tree(message));
      return member.isEmpty() ? Optional.empty() : read(member.get());
    } catch (JsonProcessingException | RuntimeException _) {
      return Optional.empty();
    }
  }

  /// Reads what agents write. Apart, as an agent's own process reads none of it.
  private static final class Reading {
    private static final JsonFactory FACTORY =
        JsonFactory.builder()
            .streamReadConstraints(
                JsonFormat.JSON
                    .getFactory()
                    .streamReadConstraints()
                    .rebuild()
                    .maxTokenCount(TOKENS_MAX)
                    .build())
            .build();

    static JsonNode tree(String message) throws JsonProcessingException {
      try (JsonParser json = FACTORY.createParser(message)) {
        JsonNode tree = JsonFormat.JSON.readTree(json);
        return tree == null ? MissingNode.getInstance() : tree;
      } catch (JsonProcessingException e) {
        throw e;
      } catch (IOException e) {
        throw new IllegalStateException("a text can be read", e);
      }
    }
  }

  private static Optional<FromAgent> read(Channel.Member member) throws JsonProcessingException {
    JsonNode content = member.content();
    return switch (member.kind()) {
      case STARTED -> Optional.of(new FromAgent.Started());
      case TOLD -> EventJson.read(content).map(FromAgent.Told::new);
      case ASKED -> Optional.of(new FromAgent.Asked(Channel.Records.read(content, Question.class)));
      case TOOK -> sequence(content).map(FromAgent.Took::new);
      case REFUSED -> sequence(content).map(FromAgent.Refused::new);
      case HISTORY -> Optional.of(new FromAgent.HistoryWanted());
      case ENDED -> ended(content);
      case String _ -> Optional.empty();
    };
  }

  private static Optional<FromAgent> ended(JsonNode content) throws JsonProcessingException {
    if (!content.has(FAILURE)) {
      return Optional.of(new FromAgent.Ended(Optional.empty()));
    }
    Failure failure = Channel.Records.read(content.get(FAILURE), Failure.class);
    return failure.category() == Category.CALLER || failure.category() == Category.BACKEND
        ? Optional.of(
            new FromAgent.Ended(
                Optional.of(
                    new Failure(
                        bounded(failure.code(), Bounds.CHANNEL_BYTES_MAX),
                        failure.category(),
                        bounded(failure.message(), Bounds.MESSAGE_BYTES_MAX)))))
        : Optional.empty();
  }

  private static String bounded(String text, int bytesMax) {
    return Bounds.truncate(Bounds.wellFormed(text), bytesMax);
  }

  private static Optional<Long> sequence(JsonNode content) {
    return content.isIntegralNumber() ? Optional.of(content.longValue()) : Optional.empty();
  }
}
