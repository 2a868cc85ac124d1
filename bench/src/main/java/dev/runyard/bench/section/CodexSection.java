package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.BareCodex;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.demo.AgentsFile;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.local.model.ScriptedModelServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The real Codex CLI as a run, beside the same command on its own, in turn, against the same
/// scripted model: what is between them is what a run adds.
public final class CodexSection implements Section {
  private static final int WARM_UP = 3;
  private static final int ROUNDS = 20;
  private static final String PROMPT =
      "Write a greeting. [[think The user wants a file.]]"
          + " [[sh printf 'Hello.\\n' > hello.txt && cat hello.txt]] [[say It is written.]]";

  @Override
  public List<Figure> measure() throws Exception {
    Path program =
        AgentInstall.of(System.getenv(), Project.cache()).program(AgentPackage.of("codex"));
    Path folder = Project.folder();
    List<Double> asRun = new ArrayList<>();
    List<Double> bare = new ArrayList<>();
    try (ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {})) {
      Path agents = AgentsFile.codex(folder, program, model.baseUrl());
      BareCodex codex = new BareCodex(agents, folder);
      try (UpProcess stack = UpProcess.start(Optional.of(agents));
          Runs runs = new Runs(stack.uri())) {
        for (int i = 0; i < WARM_UP + ROUNDS; i++) {
          asRun.add(runs.run(NewRun.of("codex", PROMPT)).terminalMillis());
          bare.add(codex.millis(PROMPT));
        }
      }
    } finally {
      Folders.delete(folder);
    }
    return figures(
        Samples.of(asRun.subList(WARM_UP, asRun.size())),
        Samples.of(bare.subList(WARM_UP, bare.size())));
  }

  private static List<Figure> figures(Samples asRun, Samples bare) {
    double run = asRun.median();
    double alone = bare.median();
    String note = ROUNDS + " of each, in turn";
    return List.of(
        new Figure("codex", "submit to terminal event, median", run, "ms", note),
        new Figure("codex", "the same command bare, median", alone, "ms", note),
        new Figure("codex", "what a run adds", run - alone, "ms", "difference of the medians"),
        new Figure("codex", "run / bare", run / alone, "x", "ratio of the medians"));
  }
}
