package dev.runyard.core.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// A program that takes a prompt and prints its answer, as the operator's document describes it: an
/// agent without code. `{prompt}`, `{model}` and `{session}` stand for their values in arguments;
/// without `{prompt}` the prompt is sent through standard input.
///
/// @param args added after the program
/// @param modelArgs added after `args` when a model is named
/// @param resumeArgs added after those when a conversation continues; without them none can
/// @param sessions paths below the agent's home that hold its conversations
public record CommandTemplate(
    AgentKind kind,
    String title,
    String description,
    List<String> args,
    List<String> modelArgs,
    List<String> resumeArgs,
    List<String> sessions,
    Output output)
    implements DescribedAgent {
  public static final String PROMPT = "{prompt}";
  public static final String MODEL = "{model}";
  public static final String SESSION = "{session}";

  public CommandTemplate {
    args = List.copyOf(args);
    modelArgs = List.copyOf(modelArgs);
    resumeArgs = List.copyOf(resumeArgs);
    sessions = List.copyOf(sessions);
  }

  /// What the program prints.
  public sealed interface Output {

    /// The answer itself.
    record Text() implements Output {}

    /// A JSON object on each line. Each member is a JSON pointer, empty for what is not reported.
    ///
    /// @param text the next piece of the answer
    /// @param session the id of the conversation
    /// @param error the reason of a failure: a text, an object or `true`
    record JsonLines(String text, String session, String error, Counts usage) implements Output {}
  }

  /// Where a line counts tokens, as [Usage] does; the last counts are those of the run.
  public record Counts(String input, String cached, String output) {}

  @Override
  public AgentManifest manifest() {
    List<String> capabilities =
        new ArrayList<>(
            List.of(
                Capabilities.RUN,
                Capabilities.EVENTS,
                Capabilities.EVENTS_LIVE,
                Capabilities.CANCEL,
                Capabilities.FINAL_TEXT,
                Capabilities.WORKSPACE));
    if (output instanceof Output.JsonLines lines && !lines.session().isEmpty()) {
      capabilities.add(Capabilities.SESSION_HANDLE);
    }
    List<ExtensionDefinition> extensions = new ArrayList<>();
    if (!modelArgs.isEmpty()) {
      extensions.add(StandardExtensions.model());
    }
    if (!resumeArgs.isEmpty()) {
      extensions.add(StandardExtensions.sessionResume());
    }
    return new AgentManifest(
        kind, title, description, new TreeSet<>(capabilities), extensions, List.of());
  }
}
