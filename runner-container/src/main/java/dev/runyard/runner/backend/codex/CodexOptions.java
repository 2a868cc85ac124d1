package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.runner.backend.AddedDirs;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.isolation.Cell;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The options of one run of Codex, from extension values that were already validated.
///
/// @param interactive whether people may be asked and may send messages
public record CodexOptions(
    Optional<String> model,
    Sandbox sandbox,
    boolean interactive,
    Approval approval,
    List<Path> addDirs,
    SessionChoice session) {

  public static final String MODEL = "agent_api.config.model.v1";
  public static final String ADD_DIRS = "agent_api.exec.add_dirs.v1";
  public static final String EXTERNAL_SANDBOX = "agent_api.exec.external_sandbox.v1";
  public static final String SANDBOX_MODE = "backend.codex.exec.sandbox_mode";
  public static final String APPROVAL_POLICY = "backend.codex.exec.approval_policy";

  public CodexOptions {
    addDirs = List.copyOf(addDirs);
  }

  /// What the agent's commands may do.
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

  /// When Codex asks a person.
  public enum Approval {
    /// Never: what its sandbox does not allow is refused.
    NEVER("never"),
    /// Before each command that is not known to change nothing, and each change of a file.
    UNTRUSTED("untrusted"),
    /// When it wants to leave its sandbox.
    ON_REQUEST("on-request");

    private final String policy;

    Approval(String policy) {
      this.policy = policy;
    }

    String policy() {
      return policy;
    }

    /// Codex no longer has the policy `on-failure`; asking for more rights after a failure is a
    /// request.
    static Approval of(String policy) {
      return switch (policy) {
        case "never" -> NEVER;
        case "on-request", "on-failure" -> ON_REQUEST;
        default -> UNTRUSTED;
      };
    }
  }

  /// Reads the extensions of a request. Relative directories are resolved against `workingDir`.
  public static CodexOptions of(Map<String, JsonNode> extensions, Path workingDir) {
    return new CodexOptions(
        text(extensions, MODEL),
        sandbox(extensions),
        Capabilities.interactive(extensions),
        approval(extensions),
        AddedDirs.of(extensions, workingDir),
        SessionChoice.of(extensions));
  }

  /// The same in a cell: where that is a sandbox in which Codex cannot make another, Codex would
  /// run no command at all, so it is told that it has one. A request to change nothing stays what
  /// it is.
  CodexOptions within(Cell cell) {
    return sandbox == Sandbox.WORKSPACE_WRITE && cell.replacesSandbox()
        ? new CodexOptions(model, Sandbox.EXTERNAL, interactive, approval, addDirs, session)
        : this;
  }

  /// True when `codex exec` cannot do it: it takes no messages, asks nobody, and copies no
  /// conversation.
  boolean needsServer() {
    return interactive || forks();
  }

  private boolean forks() {
    return switch (session) {
      case SessionChoice.Fresh _ -> false;
      case SessionChoice.Last(boolean fork) -> fork;
      case SessionChoice.ById(_, boolean fork) -> fork;
    };
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

  private static Approval approval(Map<String, JsonNode> extensions) {
    return Capabilities.interactive(extensions)
        ? text(extensions, APPROVAL_POLICY).map(Approval::of).orElse(Approval.UNTRUSTED)
        : Approval.NEVER;
  }
}
