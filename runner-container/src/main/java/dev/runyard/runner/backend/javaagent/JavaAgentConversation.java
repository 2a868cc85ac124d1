package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.channel.Channel;
import dev.runyard.agent.channel.FromAgent;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.channel.ToAgentJson;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.Effect;
import dev.runyard.runner.backend.InteractiveProtocol;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.process.Line;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// What runner and agent's process say to each other. The agent is code of others: what it may not
/// say ends its process. Not thread-safe.
final class JavaAgentConversation implements InteractiveProtocol {
  private static final String ENDED = "the agent has ended";

  /// More than all inputs of a run: they wait together while its process starts.
  private static final long WAITING_BYTES_MAX = 256L * 1024 * 1024;

  private final ToAgent.Start start;
  private final Patience patience;
  private final Supplier<List<Message>> history;
  private final Channel.Lines lines = new Channel.Lines();
  private final Map<Long, AgentInput> given = new HashMap<>();
  private final JavaAgentOutcome outcome;
  private int asked;

  /// @param history the messages of the session before this run; may wait
  JavaAgentConversation(ToAgent.Start start, Patience patience, Supplier<List<Message>> history) {
    this.start = start;
    this.patience = patience;
    this.history = history;
    this.outcome = new JavaAgentOutcome(start.agent());
    this.asked = start.interactions().actions().size();
  }

  @Override
  public List<Effect> open() {
    return List.of(
        write(start),
        new Effect.Expect(
            Math.toIntExact(TimeUnit.SECONDS.toMillis(patience.startSeconds())),
            () -> outcome.late(patience.startSeconds())));
  }

  @Override
  public List<Effect> line(String line) {
    return switch (lines.add(line)) {
      case Channel.Read.Whole(FromAgent message) when outcome.mayStillSay(message) -> said(message);
      case Channel.Read.Unfinished _ -> List.of();
      case Channel.Read.Whole _, Channel.Read.Broken _ -> broken();
    };
  }

  @Override
  public List<Effect> oversize(Line.Oversize line) {
    return broken();
  }

  @Override
  public List<Effect.Prompt> input(AgentInput input) {
    if (outcome.over()) {
      return List.of(new Effect.Refuse(input, ENDED));
    }
    given.put(input.sequence(), input);
    return List.of(write(new ToAgent.Input(input)));
  }

  @Override
  public List<Effect.Prompt> stop() {
    outcome.stopped();
    return List.of(write(new ToAgent.Stop()));
  }

  @Override
  public long waitingBytesMax() {
    return WAITING_BYTES_MAX;
  }

  @Override
  public int politeMillis() {
    return Math.toIntExact(TimeUnit.SECONDS.toMillis(patience.stopSeconds()));
  }

  @Override
  public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
    return new OutputParser.Ending(List.of(), outcome.failure(exit, stderr));
  }

  private List<Effect> said(FromAgent message) {
    return switch (message) {
      case FromAgent.Started _ -> List.of();
      case FromAgent.Told(RunEvent.ChannelMessage own) when !isOwn(own) -> broken();
      case FromAgent.Told(RunEvent event) -> List.of(new Effect.Tell(event));
      case FromAgent.Asked(Question question) -> asked(question);
      case FromAgent.Took(long sequence) ->
          taken(sequence)
              .<List<Effect>>map(in -> List.of(new Effect.Took(in)))
              .orElseGet(this::broken);
      case FromAgent.Refused(long sequence) ->
          taken(sequence)
              .<List<Effect>>map(in -> List.of(new Effect.Refuse(in, ENDED)))
              .orElseGet(this::broken);
      case FromAgent.HistoryWanted _ -> List.of(new Effect.Reply(this::said));
      case FromAgent.Ended _ -> List.of(new Effect.Close());
    };
  }

  /// The messages an agent sends to itself have numbered ids.
  private boolean isOwn(RunEvent.ChannelMessage message) {
    return message.messageId().startsWith(start.run().runId() + ".own-")
        && "agent".equals(message.from());
  }

  private List<Effect> asked(Question question) {
    if (!question.actionId().equals(ActionId.of(start.run(), asked + 1))) {
      return broken();
    }
    asked++;
    return List.of(new Effect.Ask(question));
  }

  private Optional<AgentInput> taken(long sequence) {
    return Optional.ofNullable(given.remove(sequence));
  }

  private String said() {
    try {
      return ToAgentJson.write(new ToAgent.History(history.get()));
    } catch (PortUnavailable _) {
      return ToAgentJson.write(new ToAgent.NoHistory());
    }
  }

  /// Nothing that follows can be trusted, so the process is ended, unless it is just dying.
  private List<Effect> broken() {
    return outcome.broke()
        ? List.of(
            new Effect.Expect(
                Math.toIntExact(TimeUnit.SECONDS.toMillis(patience.dyingSeconds())),
                () -> Optional.of(JavaAgentOutcome.BROKE_PROTOCOL)))
        : List.of();
  }

  private static Effect.Prompt write(ToAgent message) {
    return new Effect.Write(ToAgentJson.write(message));
  }
}
