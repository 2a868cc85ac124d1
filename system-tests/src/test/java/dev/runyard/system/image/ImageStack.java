package dev.runyard.system.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.demo.Folders;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.LocalStack;
import dev.runyard.local.emulator.TaskLaunch;
import dev.runyard.local.http.TokenFolder;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.system.Api;
import dev.runyard.system.RunFailures;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A stack on emulators whose runners are containers of the image. Its agents are the packed CLIs,
/// with a model on this machine, and shells that do whatever their prompts say. One of these keeps
/// the folders `talk` and `more` of its home in its session.
final class ImageStack implements AutoCloseable {
  /// What no agent may come to know.
  static final String MODEL_KEY = "model-key-canary-8c1f6d";

  static final String CREDENTIALS_PATH = "/v2/credentials/canary-5d2e9a";

  private static final Path HOME = Path.of(System.getProperty("runyard.home"));
  private static final String OUT = "rwxr-xr-x";

  private final ScriptedModelServer model;
  private final Path folder;
  private final LocalStack stack;
  private final Api api;
  private final RunFailures failures;

  private ImageStack(ScriptedModelServer model, Path folder, LocalStack stack, Api api) {
    this.model = model;
    this.folder = folder;
    this.stack = stack;
    this.api = api;
    this.failures = new RunFailures(new ConcurrentHashMap<>(), this::logFiles);
  }

  /// @param processes how many an attempt may have
  static ImageStack start(BuiltImage image, int processes) throws IOException {
    Path folder = Files.createTempDirectory("image-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(OUT));
    ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {});
    Path programs = Files.createDirectory(folder.resolve("programs"));
    program(programs.resolve("shell"), "#!/bin/sh\ncat >\"$TMPDIR/said\"\n. \"$TMPDIR/said\"\n");
    program(
        programs.resolve("talker"),
        """
        #!/bin/sh
        printf '{"id":"talk-1","text":"%s"}' "$(sh | tr '\\n' ' ' | tr -cd ' !#-[]-~')"
        """);
    Path agents = Files.writeString(folder.resolve("agents.json"), agents(model));
    LocalOptions options =
        LocalOptions.of(HOME.resolve("template.yaml"), folder.resolve("stack"))
            .withAgents(agents)
            .withParameter("Isolation", "uid")
            .withParameter("AttemptLimits", limits(processes));
    LocalStack stack = LocalStack.start(options, launch(image, folder));
    String token = new TokenFolder(folder.resolve("stack/tokens")).find(stack.uri()).orElseThrow();
    return new ImageStack(model, folder, stack, new Api(stack.uri(), token));
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OUT));
  }

  /// Enough for a CLI, and for an attack to reach them in a moment.
  private static String limits(int processes) {
    return """
    {"processes":%d,"memory_mib":900,"file_mib":64,"disk_mib":256,"disk_entries":3000}
    """
        .formatted(processes);
  }

  private static TaskLaunch launch(BuiltImage image, Path folder) {
    TaskLaunch runner = TaskLaunch.runner();
    List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    flags.add("-D" + ContainerTask.FOLDER + "=" + folder);
    flags.add("-D" + ContainerTask.ROOTFS + "=" + image.rootfs());
    return new TaskLaunch(runner.java(), runner.classPath(), ContainerTask.class.getName(), flags);
  }

  private static String agents(ScriptedModelServer model) {
    ObjectNode document = Api.JSON.createObjectNode();
    ObjectNode agents = document.putObject("agents");
    for (String kind : List.of("codex", "claude_code")) {
      ObjectNode agent = agents.putObject(kind).put("api_key_env", "MODEL_KEY");
      agent.put("endpoint", (kind.equals("codex") ? model.baseUrl() : model.origin()).toString());
      agent.put("model", kind.equals("codex") ? "gpt-5.5" : "scripted-model");
      agent.putArray("allow").add("agent_api.exec.external_sandbox.v1");
      lend(agent);
    }
    for (String kind : List.of("shell", "offline")) {
      ObjectNode shell = agents.putObject(kind).put("program", "/mnt/shell");
      shell.putObject("command").put("title", "A shell").put("output", "text");
      lend(shell);
    }
    ObjectNode talker = agents.putObject("talker").put("program", "/mnt/talker");
    ObjectNode command = talker.putObject("command").put("title", "A shell that remembers");
    command.put("output", "jsonl").put("text", "/text").put("session", "/id");
    command.putArray("resume_args").add("{session}");
    command.putArray("sessions").add("talk").add("more");
    lend(talker);
    agents.withObject("/offline").put("network", "none");
    return document.toString();
  }

  /// Lets requests name the key in a variable `LENT`.
  private static void lend(ObjectNode agent) {
    agent.putObject("secrets").put("KEY", "env:MODEL_KEY");
    agent.putArray("request_env").add("LENT");
  }

  Api api() {
    return api;
  }

  /// The run may fail with the code: the test wants that.
  void mayFail(String id, String code) {
    failures.expect(id, code);
  }

  /// What its containers wrote, for a test that fails.
  String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path log : logFiles()) {
      all.append(Files.readString(log));
    }
    return all.toString();
  }

  private List<Path> logFiles() throws IOException {
    try (Stream<Path> logs = Files.list(folder.resolve("stack/logs"))) {
      return logs.toList();
    }
  }

  /// Ends the stack, after checking every run, and whatever of its containers is left, however it
  /// came to be left.
  @Override
  public void close() throws IOException {
    try (model;
        Closeable _ = () -> Folders.delete(folder);
        Closeable _ = () -> Processes.endContainers(folder);
        Closeable _ = stack::close;
        api) {
      failures.check(api);
    } catch (InterruptedException e) {
      throw new AssertionError("the runs could not be looked at", e);
    }
  }
}
