package dev.runyard.simulator;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookMapping;
import dev.runyard.core.hook.HookRequest;
import dev.runyard.core.hook.HookSecrets;
import dev.runyard.core.hook.Hooks;
import dev.runyard.core.hook.ReceiveHook;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.submit.RunRequestReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What another system delivers to a hook of the tenant [#TENANT], and what its deliveries were
/// answered with. The tenant may have few runs open, so that a delivery may have to come again.
final class HookTraffic {
  static final String TENANT = "shop";
  static final int OPEN_RUNS_MAX = 2;

  private static final String SECRET = "a secret of sixteen bytes or more";
  private static final double SECRET_UNREACHABLE = 0.05;
  private static final String HOOK =
      """
      {"name": "numbers", "sender": "github", "secret": "GITHUB",
       "run": {"agent": "echo", "prompt": "{{/n}}", "timeout_seconds": 90,
               "tags": {"request": "delivery-{{/n}}", "agent": "REPLAYED"}}}
      """;

  private final SimulatedSystem system;
  private final HookId hook;
  private final Map<Integer, String> started = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();
  private final int count;
  private long repeated;
  private long refused;

  HookTraffic(SimulatedSystem system, int count) {
    this.system = system;
    this.count = count;
    Hooks hooks = new Hooks(system.hooks(), secrets(), mapping(), system.ids(), system.clock());
    String token = hooks.drawnToken();
    if (!(hooks.create(TENANT, token, HOOK.getBytes(StandardCharsets.UTF_8))
        instanceof Hooks.Result.Written(var made))) {
      throw new IllegalStateException("the hook of the simulator is none");
    }
    this.hook = made.id();
  }

  /// The use case as one process has it.
  ReceiveHook receive(UseCases api, InstantSource clock) {
    return api.receiveHook(secrets(clock), mapping(), api.submitRun());
  }

  /// Has the sender deliver once. False unless it was told that its delivery was taken.
  ///
  /// @param renamed see [#delivery]
  boolean deliver(ReceiveHook receive, int number, boolean renamed) {
    switch (receive.receive(hook(), delivery(number, renamed))) {
      case ReceiveHook.Answer.Taken(var delivery) -> {
        taken(number, delivery);
        return true;
      }
      case ReceiveHook.Answer.Again _ -> refused++;
      case ReceiveHook.Answer.Unknown _ -> wrong("a delivery proved nothing");
      case ReceiveHook.Answer.Challenge _ -> wrong("a delivery was a challenge");
    }
    return false;
  }

  /// Deliveries are numbered from 0.
  int count() {
    return count;
  }

  String hook() {
    return hook.text();
  }

  static HookMapping mapping() {
    return new HookMapping(new RunRequestReader(ScriptedAgents.CATALOG));
  }

  HookSecrets secrets() {
    return secrets(system.clock());
  }

  /// The secrets as one process reads them, which may fail.
  HookSecrets secrets(InstantSource clock) {
    return new HookSecrets(
        AgentSettings.hookSecrets("{\"agents\":{},\"hook_secrets\":{\"GITHUB\":\"env:GITHUB\"}}"),
        _ ->
            system.faults().strikes(Fault.REFUSAL, SECRET_UNREACHABLE)
                ? new Fetched.Unavailable(SecretTrouble.UNREACHABLE)
                : new Fetched.Value(SECRET),
        clock);
  }

  /// The delivery of a number, the same each time but for the sender's name of it, which is not
  /// signed.
  HookRequest delivery(int number, boolean renamed) {
    byte[] body = "{\"n\": %d}".formatted(number).getBytes(StandardCharsets.UTF_8);
    return new HookRequest(
        Map.of(
            "Content-Type",
            "application/json",
            "X-GitHub-Event",
            "issues",
            "X-GitHub-Delivery",
            renamed ? "again-" + number : "delivery-" + number,
            "X-Hub-Signature-256",
            "sha256=" + code(body)),
        body);
  }

  private static String code(byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean answered(int number) {
    return started.containsKey(number);
  }

  /// All deliveries were taken.
  boolean done() {
    return started.size() == count;
  }

  /// The sender was told what a delivery came to.
  private void taken(int number, HookDelivery delivery) {
    String run = delivery.runId().orElse("nothing, " + delivery.reason());
    String before = started.putIfAbsent(number, run);
    if (before != null) {
      repeated++;
    }
    if (before != null && !before.equals(run)) {
      wrong("delivery %d started %s and %s".formatted(number, before, run));
    }
    if (delivery.runId().isEmpty()) {
      wrong("delivery %d started %s".formatted(number, run));
    }
  }

  private void wrong(String what) {
    violations.add(new Violation("hook", what));
  }

  long repeated() {
    return repeated;
  }

  long refused() {
    return refused;
  }

  /// Every delivery that was answered has its run, and its row if nothing could keep it from that.
  List<Violation> check() {
    List<Violation> all = new ArrayList<>(violations);
    started.forEach(
        (number, run) -> {
          if (!system.log().runs().contains(new RunKey(TENANT, run))) {
            all.add(new Violation("hook", "delivery %d has no run %s".formatted(number, run)));
          }
        });
    if (system.faults().kinds().isEmpty()) {
      List<String> rows =
          system.hookDeliveries().newest(hook, Integer.MAX_VALUE).stream()
              .flatMap(row -> row.runId().stream())
              .toList();
      started.values().stream()
          .filter(run -> !rows.contains(run))
          .forEach(run -> all.add(new Violation("hook", "no row says that " + run + " began")));
    }
    return all;
  }
}
