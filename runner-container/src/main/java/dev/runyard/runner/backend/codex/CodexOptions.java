package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.backend.AddedDirs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one run asks of Codex beyond its prompt, from extension values that were already validated.
public record CodexOptions(
    Optional<String> model, Sandbox sandbox, List<Path> addDirs, Resume resume) {

  public static final String MODEL = "agent_api.config.model.v1";
  public static final String ADD_DIRS = "agent_api.exec.add_dirs.v1";
  public static final String EXTERNAL_SANDBOX = "agent_api.exec.external_sandbox.v1";
  public static final String RESUME = "agent_api.session.resume.v1";
  public static final String SANDBOX_MODE = "backend.codex.exec.sandbox_mode";
  public static final String APPROVAL_POLICY = "backend.codex.exec.approval_policy";

  public CodexOptions {
    addDirs = List.copyOf(addDirs);
  }

  /// What commands of the agent may do to the machine.
  public enum Sandbox {
    READ_ONLY("read-only"),
    WORKSPACE_WRITE("workspace-write"),
    DANGER_FULL_ACCESS("danger-full-access"),
    /// None: the runner is itself the sandbox.
    EXTERNAL("");

    private final String mode;

    Sandbox(String mode) {
      this.mode = mode;
    }

    String mode() {
      return mode;
    }

    static Sandbox of(String mode) {
      for (Sandbox sandbox : values()) {
        if (sandbox.mode.equals(mode)) {
          return sandbox;
        }
      }
      throw new IllegalArgumentException("not a sandbox mode");
    }
  }

  /// Which conversation the run goes on with.
  public sealed interface Resume {

    /// None: it starts one.
    record Fresh() implements Resume {}

    /// The newest one in the run's home.
    record Last() implements Resume {}

    /// The one with this id.
    record ById(String id) implements Resume {}
  }

  /// Reads the extensions of a request. Relative directories are resolved against `workingDir`.
  public static CodexOptions of(Map<String, JsonNode> extensions, Path workingDir) {
    return new CodexOptions(
        text(extensions, MODEL),
        sandbox(extensions),
        AddedDirs.of(extensions, workingDir),
        resume(extensions));
  }

  /// The same, going on with a thread; for sessions, whose runs share one.
  public CodexOptions resuming(String threadId) {
    return new CodexOptions(model, sandbox, addDirs, new Resume.ById(threadId));
  }

  private static Optional<String> text(Map<String, JsonNode> extensions, String key) {
    return Optional.ofNullable(extensions.get(key)).map(value -> value.asText("").strip());
  }

  private static Sandbox sandbox(Map<String, JsonNode> extensions) {
    JsonNode external = extensions.get(EXTERNAL_SANDBOX);
    return external != null && external.asBoolean()
        ? Sandbox.EXTERNAL
        : text(extensions, SANDBOX_MODE).map(Sandbox::of).orElse(Sandbox.WORKSPACE_WRITE);
  }

  private static Resume resume(Map<String, JsonNode> extensions) {
    JsonNode value = extensions.get(RESUME);
    if (value == null) {
      return new Resume.Fresh();
    }
    return value.path("selector").asText().equals("last")
        ? new Resume.Last()
        : new Resume.ById(value.path("id").asText().strip());
  }
}
