package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The ids of capabilities. An id is a promise a backend keeps; the key of an extension is at the
/// same time the id of the capability to understand it (DR-0003, DR-0008). Ids never change.
public final class Capabilities {
  public static final String RUN = "agent_api.run";
  public static final String EVENTS = "agent_api.events";
  public static final String EVENTS_LIVE = "agent_api.events.live";
  public static final String CANCEL = "agent_api.control.cancel.v1";
  public static final String MESSAGE = "agent_api.control.message.v1";
  public static final String TOOLS_STRUCTURED = "agent_api.tools.structured.v1";
  public static final String TOOLS_RESULTS = "agent_api.tools.results.v1";
  public static final String FINAL_TEXT = "agent_api.artifacts.final_text.v1";
  public static final String SESSION_HANDLE = "agent_api.session.handle.v1";
  public static final String SESSION_RESUME = "agent_api.session.resume.v1";
  public static final String SESSION_FORK = "agent_api.session.fork.v1";
  public static final String MODEL = "agent_api.config.model.v1";
  public static final String NON_INTERACTIVE = "agent_api.exec.non_interactive";
  public static final String EXTERNAL_SANDBOX = "agent_api.exec.external_sandbox.v1";
  public static final String ADD_DIRS = "agent_api.exec.add_dirs.v1";

  /// What its processes reach over the network can be limited.
  public static final String NETWORK = "runyard.network.v1";

  /// It can be ended while it works, and goes on where it was at another runner.
  public static final String PAUSE = "runyard.pause.v1";

  /// It works on files that the run brings, such as a repository.
  public static final String WORKSPACE = "runyard.workspace.v1";

  /// It reports its model calls one by one while it runs, each with its tokens, so a run can be
  /// stopped by them.
  public static final String TURN_LIMIT = "runyard.limits.turns.v1";

  public static final String TOKEN_LIMIT = "runyard.limits.tokens.v1";

  /// The same with what each call costs.
  public static final String COST_LIMIT = "runyard.limits.cost.v1";

  /// Its calls of models pass the model gateway: it holds no key, and each call is measured.
  public static final String MODEL_GATEWAY = "runyard.model_gateway.v1";

  /// What every agent CLI can do whose output is events.
  private static final List<String> OF_A_CLI =
      List.of(
          RUN,
          EVENTS,
          EVENTS_LIVE,
          CANCEL,
          FINAL_TEXT,
          SESSION_HANDLE,
          TOOLS_STRUCTURED,
          TOOLS_RESULTS,
          WORKSPACE);

  public static final int ID_BYTES_MAX = 128;
  private static final String COMMON = "agent_api.";
  private static final String PRODUCT = "runyard.";
  private static final String OWN = "backend.";
  private static final Pattern GRAMMAR = Pattern.compile("[a-z][a-z0-9_.-]*");

  private Capabilities() {}

  /// What every agent CLI can do, in a new set.
  static SortedSet<String> ofACli() {
    return new TreeSet<>(OF_A_CLI);
  }

  /// True for the extensions of a run that may ask people.
  public static boolean interactive(Map<String, JsonNode> extensions) {
    JsonNode alone = extensions.get(NON_INTERACTIVE);
    return alone != null && alone.isBoolean() && !alone.booleanValue();
  }

  /// True for `agent_api.<cap>`, `runyard.<cap>` and `backend.<kind>.<cap>` in lower case ASCII.
  public static boolean isId(String text) {
    if (text.length() > ID_BYTES_MAX || !GRAMMAR.matcher(text).matches()) {
      return false;
    }
    return isCommon(text)
        ? text.length() > text.indexOf('.') + 1
        : text.startsWith(OWN) && isOwn(text.substring(OWN.length()));
  }

  /// True when a backend of this kind may declare the id: it is common to all, or belongs to this
  /// kind.
  static boolean belongsTo(AgentKind kind, String id) {
    return isId(id) && (isCommon(id) || id.startsWith(OWN + kind.name() + "."));
  }

  private static boolean isCommon(String id) {
    return id.startsWith(COMMON) || id.startsWith(PRODUCT);
  }

  /// True for `backend.<kind>.exec.<name>`.
  static boolean isOwnExec(String id) {
    return id.startsWith(OWN) && id.startsWith("exec.", id.indexOf('.', OWN.length()) + 1);
  }

  private static boolean isOwn(String kindAndName) {
    int dot = kindAndName.indexOf('.');
    return dot > 0
        && dot < kindAndName.length() - 1
        && AgentKind.isKind(kindAndName.substring(0, dot));
  }
}
