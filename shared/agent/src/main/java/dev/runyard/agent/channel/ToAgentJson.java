package dev.runyard.agent.channel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.util.ArrayList;
import java.util.List;

/// The JSON form of what a runner writes to an agent's process.
public final class ToAgentJson {
  private static final String START = "start";
  private static final String MESSAGE = "message";
  private static final String DECISION = "decision";
  private static final String HISTORY = "history";
  private static final String NO_HISTORY = "no_history";
  private static final String STOP = "stop";

  private static final String AGENT = "agent";
  private static final String TYPE = "type";
  private static final String TENANT = "tenant";
  private static final String RUN = "run";
  private static final String ATTEMPT = "attempt";
  private static final String SESSION = "session";
  private static final String PROMPT = "prompt";
  private static final String INPUT = "input";
  private static final String INTERACTIONS = "interactions";

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  private ToAgentJson() {}

  /// A message as a line without its end.
  public static String write(ToAgent message) {
    return switch (message) {
      case ToAgent.Start start -> Channel.written(START, started(start));
      case ToAgent.Input(AgentInput.Said(InboxMessage said)) ->
          Channel.written(MESSAGE, Channel.Records.write(said));
      case ToAgent.Input(AgentInput.Decided(Action action)) ->
          Channel.written(DECISION, Channel.Records.write(action));
      case ToAgent.History(List<Message> messages) ->
          Channel.written(HISTORY, Channel.Records.write(messages));
      case ToAgent.NoHistory _ -> Channel.written(NO_HISTORY, NOTHING);
      case ToAgent.Stop _ -> Channel.written(STOP, NOTHING);
    };
  }

  /// Reads a line.
  ///
  /// @throws IllegalArgumentException for a line no runner of this version writes
  public static ToAgent read(String line) {
    try {
      Channel.Member member =
          Channel.Member.of(line)
              .orElseThrow(() -> new IllegalArgumentException("not a message of a runner"));
      JsonNode content = member.content();
      return switch (member.kind()) {
        case START -> start(content);
        case MESSAGE ->
            new ToAgent.Input(
                new AgentInput.Said(Channel.Records.read(content, InboxMessage.class)));
        case DECISION ->
            new ToAgent.Input(new AgentInput.Decided(Channel.Records.read(content, Action.class)));
        case HISTORY -> new ToAgent.History(messages(content));
        case NO_HISTORY -> new ToAgent.NoHistory();
        case STOP -> new ToAgent.Stop();
        case String other -> throw new IllegalArgumentException("not a message: " + other);
      };
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a message of a runner", e);
    }
  }

  /// What most runs lack is left out: reading it would take a new process some time.
  private static ObjectNode started(ToAgent.Start start) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put(AGENT, start.agent())
            .put(TYPE, start.type())
            .put(TENANT, start.run().tenant())
            .put(RUN, start.run().runId())
            .put(ATTEMPT, start.attemptId())
            .put(SESSION, start.sessionId())
            .put(PROMPT, start.prompt());
    if (!start.input().isEmpty()) {
      json.set(INPUT, Channel.Records.write(start.input()));
    }
    if (!start.interactions().actions().isEmpty() || !start.interactions().inbox().isEmpty()) {
      json.set(INTERACTIONS, Channel.Records.write(start.interactions()));
    }
    return json;
  }

  private static ToAgent.Start start(JsonNode json) throws JsonProcessingException {
    JsonNode interactions = json.get(INTERACTIONS);
    return new ToAgent.Start(
        json.required(AGENT).textValue(),
        json.required(TYPE).textValue(),
        new RunKey(json.required(TENANT).textValue(), json.required(RUN).textValue()),
        json.required(ATTEMPT).textValue(),
        json.required(SESSION).textValue(),
        json.required(PROMPT).textValue(),
        messages(json.path(INPUT)),
        interactions == null
            ? Interactions.EMPTY
            : Channel.Records.read(interactions, Interactions.class));
  }

  private static List<Message> messages(JsonNode json) throws JsonProcessingException {
    List<Message> messages = new ArrayList<>();
    for (JsonNode message : json) {
      messages.add(Channel.Records.read(message, Message.class));
    }
    return messages;
  }
}
