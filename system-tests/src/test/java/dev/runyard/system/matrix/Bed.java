package dev.runyard.system.matrix;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.system.Api;
import dev.runyard.system.StackFolder;
import dev.runyard.system.SystemStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What stacks with genuine CLIs need: one scripted model, the installed programs, and a folder.
///
/// The folder is below the cache, because Codex does not work below a temporary one.
final class Bed implements AutoCloseable {
  private static final String KEY = "MODEL_KEY";
  private static final String CLAUDE_KEY = "ANTHROPIC_API_KEY";

  private final List<Subject> subjects;
  private final Map<String, Map<String, String>> kept = new HashMap<>();
  private final Exchanges exchanges = new Exchanges();
  private final ScriptedModelServer model;
  private final Path folder;

  Bed(List<Subject> subjects) throws IOException {
    this.subjects = List.copyOf(subjects);
    model = ScriptedModelServer.start(0, exchanges::add);
    Path work = CacheFolder.of(System.getenv()).resolve("work");
    folder = Files.createTempDirectory(Files.createDirectories(work), "matrix-");
  }

  /// The folder of a stack.
  ///
  /// @param parameters of the template
  /// @param args of every program
  StackFolder stackFolder(Map<String, String> parameters, List<String> args) throws Exception {
    StackFolder stackFolder = StackFolder.in(folder, parameters);
    Map<String, String> env = System.getenv();
    AgentInstall install = AgentInstall.of(env, CacheFolder.of(env));
    ObjectNode document = Api.JSON.createObjectNode();
    ObjectNode agents = document.putObject("agents");
    for (Subject subject : subjects) {
      Path program = install.program(AgentPackage.of(subject.kind()));
      describe(agents.putObject(subject.kind()), subject, program, args);
    }
    Files.writeString(stackFolder.agents(), document.toString());
    return stackFolder;
  }

  private void describe(ObjectNode agent, Subject subject, Path program, List<String> args) {
    String endpoint =
        switch (subject.api()) {
          case BASE -> model.baseUrl().toString();
          case ORIGIN -> model.origin().toString();
        };
    agent.put("program", program.toString()).put("endpoint", endpoint);
    agent.put("model", subject.model()).put("api_key_env", KEY);
    agent.putObject("env").put(KEY, "any-key-will-do").put(CLAUDE_KEY, "any-key-will-do");
    args.forEach(agent.putArray("args")::add);
    subject.grants().forEach(agent.putArray("allow")::add);
  }

  /// The subjects on a stack, with what their trials on an earlier one left.
  List<Stand> stands(SystemStack stack) throws IOException, InterruptedException {
    List<Stand> stands = new ArrayList<>();
    for (Subject subject : subjects) {
      Map<String, String> notes =
          kept.computeIfAbsent(subject.kind(), _ -> new ConcurrentHashMap<>());
      stands.add(new Stand(subject, stack, exchanges, folder, notes));
    }
    return stands;
  }

  @Override
  public void close() throws IOException {
    model.close();
    Folders.delete(folder);
  }
}
