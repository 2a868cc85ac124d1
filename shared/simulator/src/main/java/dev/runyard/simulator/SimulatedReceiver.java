package dev.runyard.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// Those who are told: they take what they are sent, or refuse it some times, hang after they took
/// it, want to be left alone, or are gone. What they get they know by its id.
final class SimulatedReceiver implements WebhookSender, EventBus {
  /// One that answers 410 from its second delivery on.
  static final String GONE_URL = "https://gone.example.com/hook";

  /// Troubles with one delivery, so that none is given up.
  private static final int TROUBLES_MAX = 3;

  /// Shorter than a receiver may take: whoever acts meanwhile, on the same thread, would hold up
  /// those who wait for less.
  private static final Duration HANGS = Duration.ofSeconds(2);

  private static final Duration LEFT_ALONE = Duration.ofSeconds(30);

  private final SimulatedSystem system;
  private final Random random;
  private final Map<String, Integer> troubles = new HashMap<>();
  private final Map<String, String> got = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final List<Violation> violations = new ArrayList<>();
  private int goneAfter = 1;
  private boolean gone;
  private long repeated;

  SimulatedReceiver(SimulatedSystem system, Random random) {
    this.system = system;
    this.random = random;
  }

  /// What each id came with.
  Map<String, String> got() {
    return got;
  }

  /// True if that delivery was answered with success.
  boolean took(String id) {
    return taken.contains(id);
  }

  /// Whether [#GONE_URL] said that it is gone.
  boolean gone() {
    return gone;
  }

  /// Deliveries that came a second time.
  long repeated() {
    return repeated;
  }

  List<Violation> violations() {
    return violations;
  }

  @Override
  public Answer send(Outgoing request) {
    String id = request.headers().getOrDefault("webhook-id", "");
    if (request.url().equals(GONE_URL) && goneAfter-- <= 0) {
      gone = true;
      return status(410);
    }
    return answer(id, request.body());
  }

  @Override
  public Answer publish(Published event) {
    ObjectNode detail = object(event.detail());
    String id = detail.path("id").asText();
    detail.remove(List.of("id", "tenant"));
    return answer(id, detail.toString());
  }

  private Answer answer(String id, String body) {
    boolean trouble = random.nextInt(3) == 0 && troubles.getOrDefault(id, 0) < TROUBLES_MAX;
    if (!trouble) {
      arrived(id, body);
      taken.add(id);
      return status(200);
    }
    troubles.merge(id, 1, Integer::sum);
    return switch (random.nextInt(4)) {
      case 0 -> new Answer.None(Trouble.NOT_CONNECTED);
      case 1 -> {
        arrived(id, body);
        system.elapse(HANGS);
        yield new Answer.None(Trouble.TIMED_OUT);
      }
      case 2 -> new Answer.Status(429, Optional.of(LEFT_ALONE));
      default -> {
        arrived(id, body);
        yield status(500);
      }
    };
  }

  private void arrived(String id, String body) {
    String before = got.put(id, body);
    if (before != null) {
      repeated++;
      if (!before.equals(body)) {
        violations.add(new Violation("told", id + " came with another content"));
      }
    }
  }

  private static Answer status(int code) {
    return new Answer.Status(code, Optional.empty());
  }

  static ObjectNode object(String json) {
    try {
      return JsonFormat.JSON.readValue(json, ObjectNode.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
