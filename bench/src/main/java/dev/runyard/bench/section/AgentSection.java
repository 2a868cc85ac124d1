package dev.runyard.bench.section;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.BareAgent;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
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
public record AgentSection(String kind) implements Section {
  private static final int WARM_UP = 3;
  private static final int ROUNDS = 10;
  private static final String KEY = "MODEL_KEY";
  private static final String CLAUDE_KEY = "ANTHROPIC_API_KEY";
  private static final String PROMPT =
      "Write a greeting. [[think The user wants a file.]]"
          + " [[sh printf 'Hello.\\n' > hello.txt && cat hello.txt]] [[say It is written.]]";

  private record Sample(Runs.Timing run, BareAgent.Timing bare) {}

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    List<Sample> samples = new ArrayList<>();
    try (ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {})) {
      String document = agents(model);
      Path file = Files.writeString(folder.resolve("agents.json"), document);
      AgentSettings settings = AgentSettings.parse(document, AgentCatalog.builtIn());
      BareAgent bare = new BareAgent(kind, settings.of(new AgentKind(kind)), folder);
      try (UpProcess stack = UpProcess.start(Optional.of(file));
          Runs runs = new Runs(stack.uri())) {
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
          samples.add(new Sample(runs.run(run()), bare.run(PROMPT)));
        }
      }
    } finally {
      Folders.delete(folder);
    }
    return figures(samples.subList(WARM_UP, samples.size()));
  }

  /// Its tools may do anything, as the bare command's may.
  private NewRun run() {
    Map<String, JsonNode> extensions =
        isClaude() ? Map.of(Capabilities.EXTERNAL_SANDBOX, BooleanNode.TRUE) : Map.of();
    return new NewRun(kind, PROMPT, null, null, null, extensions, Map.of(), Map.of());
  }

  private String agents(ScriptedModelServer model) throws Exception {
    Path program = AgentInstall.of(System.getenv(), Project.cache()).program(AgentPackage.of(kind));
    URI endpoint = isClaude() ? model.origin() : model.baseUrl();
    ObjectNode document = JsonMapper.builder().build().createObjectNode();
    ObjectNode agent = document.putObject("agents").putObject(kind);
    agent.put("program", program.toString()).put("endpoint", endpoint.toString());
    agent.put("model", kind.equals("codex") ? "gpt-5.5" : "scripted-model");
    agent.put("api_key_env", KEY);
    agent.putObject("env").put(KEY, "scripted").put(CLAUDE_KEY, "scripted");
    if (isClaude()) {
      agent.putArray("allow").add(Capabilities.EXTERNAL_SANDBOX);
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
    return List.of(
        new Figure(kind, "submit to terminal event, median", run, "ms", note),
        new Figure(kind, "the same command bare, median", alone, "ms", note),
        new Figure(kind, "what a run adds", run - alone, "ms", "difference of the medians"),
        new Figure(kind, "run / bare", run / alone, "x", "ratio of the medians"),
        new Figure(kind, "submit to the agent's first event, median", event, "ms", note),
        new Figure(kind, "bare, start to first line, median", line, "ms", note),
        new Figure(kind, "how much later a run's is", event - line, "ms", "of the medians"));
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> of) {
    return Samples.of(samples.stream().map(of::applyAsDouble).toList()).median();
  }
}
