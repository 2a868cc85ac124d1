package dev.runyard.bench.section;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.BareAgent;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.local.model.ScriptedModelServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// A real agent CLI as a run, beside the same command on its own, in turn, against the same
/// scripted model: what is between them is what a run adds.
///
/// @param kind of agent
public record AgentSection(String kind, StackLaunch launch) implements Section {
  private static final int WARM_UP = 40;
  private static final int ROUNDS = 10;
  private static final int CANCELS = 20;
  private static final String KEY = "MODEL_KEY";
  private static final String CLAUDE_KEY = "ANTHROPIC_API_KEY";
  private static final String PROMPT =
      "Write a greeting. [[think The user wants a file.]]"
          + " [[sh printf 'Hello.\\n' > hello.txt && cat hello.txt]] [[say It is written.]]";

  private static final String ENDLESS = "[[sh tail -f /dev/null]]";

  private record Sample(Runs.Timing run, BareAgent.Timing bare) {}

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    List<Sample> samples = new ArrayList<>();
    List<Double> cancelled = new ArrayList<>();
    try (ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {})) {
      String document = agents(model);
      Path file = Files.writeString(folder.resolve("agents.json"), document);
      AgentSettings settings = AgentSettings.parse(document, AgentCatalog.builtIn());
      BareAgent bare = new BareAgent(kind, settings.of(new AgentKind(kind)), folder);
      try (UpProcess stack = launch.start(Optional.of(file));
          Runs runs = new Runs(stack.uri())) {
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
          samples.add(new Sample(runs.run(run(PROMPT)), bare.run(PROMPT)));
        }
        for (int i = 0; i < CANCELS; i++) {
          cancelled.add(runs.cancel(run(ENDLESS)));
        }
      }
    } finally {
      Folders.delete(folder);
    }
    List<Figure> figures = figures(samples.subList(WARM_UP, samples.size()));
    figures.addAll(figures(Samples.of(cancelled)));
    return figures;
  }

  /// Its tools may do anything, as the bare command's may.
  private NewRun run(String prompt) {
    Map<String, JsonNode> extensions =
        switch (kind) {
          case "claude_code" -> Map.of(Capabilities.EXTERNAL_SANDBOX, BooleanNode.TRUE);
          case "pi" ->
              Map.of(StandardExtensions.approvalKey(new AgentKind(kind)), TextNode.valueOf("all"));
          case String _ -> Map.of();
        };
    return new NewRun(kind, prompt, null, null, null, extensions, Map.of(), Map.of());
  }

  private String agents(ScriptedModelServer model) throws Exception {
    Path program = AgentInstall.of(System.getenv(), Project.cache()).program(AgentPackage.of(kind));
    URI endpoint = isClaude() ? model.origin() : model.baseUrl();
    ObjectNode document = JsonMapper.builder().build().createObjectNode();
    ObjectNode agent = document.putObject("agents").putObject(kind);
    agent.put("program", program.toString()).put("endpoint", endpoint.toString());
    agent.put("model", kind.equals("codex") ? "gpt-5.5" : "scripted-model");
    agent.put("api_key_env", KEY);
    agent.putObject("env").put(KEY, "any-key-will-do").put(CLAUDE_KEY, "any-key-will-do");
    if (isClaude()) {
      agent.putArray("allow").add(Capabilities.EXTERNAL_SANDBOX);
    } else if (kind.equals("pi")) {
      String approval = StandardExtensions.approvalKey(new AgentKind(kind));
      agent.putArray("allow").add(Grants.of(approval, "all"));
    }
    return document.toString();
  }

  private boolean isClaude() {
    return kind.equals("claude_code");
  }

  private List<Figure> figures(List<Sample> samples) {
    double run = median(samples, each -> each.run().terminalMillis());
    double alone = median(samples, each -> each.bare().exitMillis());
    double event = median(samples, each -> each.run().agentMillis());
    double line = median(samples, each -> each.bare().firstMillis());
    String note = ROUNDS + " of each, in turn";
    double process = median(samples, each -> each.run().processMillis());
    List<Figure> figures = new ArrayList<>();
    figures.addAll(
        List.of(
            new Figure(kind, "submit to terminal event, median", run, "ms", note),
            new Figure(kind, "the same command bare, median", alone, "ms", note),
            new Figure(kind, "what a run adds", run - alone, "ms", "difference of the medians"),
            new Figure(kind, "run / bare", run / alone, "x", "ratio of the medians"),
            new Figure(kind, "its process as a run, median", process, "ms", note),
            new Figure(kind, "submit to the agent's first event, median", event, "ms", note),
            new Figure(kind, "bare, start to first line, median", line, "ms", note),
            new Figure(kind, "how much later a run's is", event - line, "ms", "of the medians")));
    return figures;
  }

  /// From the request to the terminal event, which comes after the end of every process.
  private List<Figure> figures(Samples cancelled) {
    String note = CANCELS + " runs with a tool in progress";
    return List.of(
        new Figure(kind, "cancel to terminal event, p50", cancelled.median(), "ms", note),
        new Figure(kind, "the same, p99", cancelled.percentile(99), "ms", note));
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> of) {
    return Samples.of(samples.stream().map(of::applyAsDouble).toList()).median();
  }
}
