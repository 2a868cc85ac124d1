package dev.runyard.runner.backend.javaagent;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An agent named `worker` whose prompt says what it does.
public final class Working implements AgentDefinition {
  public static final String EMITS = "emits";
  public static final String SAYS_PARTS = "says parts";
  public static final String SAYS_LONG = "says long";
  public static final String REFUSES = "refuses";
  public static final String BREAKS = "breaks";
  public static final String REPEATS_TWO = "repeats two messages";
  public static final String COUNTS = "counts";
  public static final String SENDS_TO_ITSELF = "sends to itself";
  public static final String HEARS_OF_ITSELF = "hears of itself";
  public static final String WAITS = "waits";
  public static final String WEIGHS = "weighs";
  public static final String LISTENS = "listens";
  public static final String TALKS = "talks";
  public static final String RECALLS = "recalls";
  public static final String MENDS = "mends";

  /// Large enough for several lines of the channel, if each character is escaped.
  public static final int LONG_CHARS = 300_000;

  public static final int IMAGE_CHARS = 100_000;

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public boolean emitsStartComplete() {
    return true;
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws Exception {
    switch (request.prompt()) {
      case EMITS -> emit(context);
      case SAYS_PARTS ->
          context.say(
              new Message(
                  "user",
                  List.of(
                      MessagePart.text("see"),
                      new MessagePart(
                          "image/png",
                          "x".repeat(IMAGE_CHARS),
                          null,
                          MessagePart.BASE64,
                          "i.png",
                          null)),
                  null,
                  null));
      case SAYS_LONG -> {
        context.write("\u00e9".repeat(LONG_CHARS) + "\ud83d");
        context
            .hub()
            .emit(
                HubEvent.toolComplete(
                    "read", TextNode.valueOf("\u0001".repeat(LONG_CHARS)), false, context.runId()));
      }
      case REFUSES -> throw AgentFailure.invalidInput("Wrong question buddy!");
      case BREAKS -> throw new IllegalStateException("with a secret");
      case REPEATS_TWO -> {
        context.write(context.inbox().pop().orElseThrow().content());
        context.write(context.inbox().pop().orElseThrow().content());
      }
      case COUNTS -> {
        for (int i = 0; i < 5; i++) {
          context.write(String.valueOf(i));
        }
      }
      case SENDS_TO_ITSELF -> {
        if (!context.hub().sendToRun(context.runId(), "note to self")) {
          throw new IllegalStateException("not sent");
        }
        context.write(context.inbox().pop().orElseThrow().content());
      }
      case HEARS_OF_ITSELF -> {
        context
            .hub()
            .subscribe(
                HubEvent.AGENT_START,
                _ -> context.hub().sendToRun(context.runId(), "from a listener"));
        context.hub().emit(HubEvent.agentStart("worker", context.runId()));
        context.write(context.inbox().pop().orElseThrow().content());
      }
      case WEIGHS -> {
        long chars = 0;
        for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
          chars += context.inbox().pop().orElseThrow().content().length();
        }
        context.write(String.valueOf(chars));
      }
      case WAITS -> {
        context.write("waiting");
        try {
          if (context.inbox().pop().isEmpty()) {
            context.write("ended");
          }
        } finally {
          context.write("too late");
        }
      }
      case LISTENS -> {
        context.write("waiting");
        context.inbox().forEach(message -> context.write(message.content()));
      }
      case TALKS -> {
        context.write("heard " + context.inbox().pop().orElseThrow().content() + "; ");
        Answer answer = context.ask(Ask.message(Message.text("agent", "and now?")));
        context.write("told " + answer.text() + "; ");
        context.write("heard " + context.inbox().pop().orElseThrow().content() + ".");
      }
      case MENDS -> mend(context);
      case RECALLS -> context.history().forEach(context::say);
      case String unknown -> throw new IllegalStateException(unknown);
    }
    return List.of();
  }

  /// Works on the files around it.
  private static void mend(AgentContext context) throws IOException {
    Path file = Path.of("calc");
    context.write("was " + Files.readString(file).strip());
    Files.writeString(file, "mended\n");
    Files.writeString(Files.createDirectories(Path.of("dist")).resolve("report"), "all is well\n");
  }

  private static void emit(AgentContext context) {
    context.hub().emit(HubEvent.thinking("hm", context.runId()));
    context.write("one ");
    context.write("two");
    context.hub().emit(HubEvent.toolStart("search", TextNode.valueOf("cats"), context.runId()));
    context
        .hub()
        .emit(HubEvent.toolComplete("search", TextNode.valueOf("3 cats"), false, context.runId()));
    context.hub().emit(HubEvent.of("narrative").with("text", "a story"));
    context.say(Message.text("user", "whole"));
  }
}
