package dev.runyard.agent.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.agent.hub.HubReply;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/// What an agent asks people, one question after another. What was answered before this attempt is
/// answered from the log; what was asked and not answered is not asked again.
final class Questions {
  private final RunnerLink runner;
  private final RunKey key;
  private final LocalHub hub;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Deque<Action> answered;
  private final Deque<String> open = new ArrayDeque<>();
  private final Map<String, BlockingQueue<AgentInput.Decided>> decided = new ConcurrentHashMap<>();
  private int asked;

  Questions(RunnerLink runner, ToAgent.Start start, LocalHub hub) {
    this.runner = runner;
    this.key = start.run();
    this.hub = hub;
    this.answered = new ArrayDeque<>(start.interactions().answers());
    this.asked = start.interactions().actions().size();
    for (Action action : start.interactions().actions()) {
      if (action.pending() || action.undelivered()) {
        open.add(action.actionId());
      }
    }
  }

  void deliver(AgentInput.Decided decision) {
    answerTo(decision.action().actionId()).add(decision);
  }

  Answer ask(Ask ask) throws InterruptedException {
    turn.lockInterruptibly();
    try {
      Action before = answered.poll();
      return before == null ? wait(ask) : Answer.of(before);
    } finally {
      turn.unlock();
    }
  }

  private Answer wait(Ask ask) throws InterruptedException {
    String id = open.poll();
    if (id == null) {
      asked++;
      id = ActionId.of(key, asked);
      reported(runner.ask(ask.as(id)));
    }
    hub.emit(prompt(id, ask));
    AgentInput.Decided decision = answerTo(id).take();
    reported(runner.took(decision));
    Answer answer = Answer.of(decision.action());
    Action.Resolution resolution = decision.action().resolution();
    if (resolution != null) {
      String choice = ask.choices().contains(answer.text()) ? answer.text() : null;
      hub.reply(id, new HubReply(answer.text(), choice, resolution.at()));
    }
    return answer;
  }

  private static void reported(boolean taken) throws InterruptedException {
    if (!taken) {
      throw new InterruptedException("The run has ended.");
    }
  }

  private BlockingQueue<AgentInput.Decided> answerTo(String actionId) {
    return decided.computeIfAbsent(actionId, _ -> new LinkedBlockingQueue<>());
  }

  private static HubEvent prompt(String id, Ask ask) {
    HubEvent prompt =
        HubEvent.of(HubEvent.SESSION_PROMPT).with("promptId", id).with("prompt", ask.prompt());
    ArrayNode choices = JsonNodeFactory.instance.arrayNode();
    ask.choices().forEach(choices::add);
    JsonNode free = BooleanNode.valueOf(ask.choices().isEmpty());
    return (choices.isEmpty() ? prompt : prompt.with("choices", choices)).with("allowText", free);
  }
}
