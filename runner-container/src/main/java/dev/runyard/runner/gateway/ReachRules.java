package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What the bodies of the APIs have that would have a provider reach other servers.
final class ReachRules {
  /// Tools that the caller executes, in the Messages API beside those without a type.
  private static final Pattern CLAUDE_TOOLS =
      Pattern.compile(
          "custom|(?:bash|text_editor|memory|computer)_\\d{8}|tool_search_tool_[a-z0-9_]+");

  private static final Set<String> RESPONSES_TOOLS =
      Set.of("function", "custom", "local_shell", "apply_patch", "namespace", "tool_search");
  private static final Set<String> CHAT_TOOLS = Set.of("function", "custom");

  /// Members of a body that name what its provider keeps, which nobody has looked at here.
  private static final Set<String> KEPT =
      Set.of("previousresponseid", "conversation", "prompt", "container", "cachedcontent");

  /// Members that name servers, or have a provider search: of these APIs, and of providers that
  /// have theirs with more members.
  private static final Set<String> SERVERS =
      Set.of(
          "apibase",
          "baseurl",
          "connectorid",
          "datasources",
          "enablesearch",
          "mcpservers",
          "plugins",
          "searchoptions",
          "searchparameters",
          "searchsettings",
          "serverurl",
          "websearch",
          "websearchoptions");

  /// Members that hold contents, or say where they are.
  private static final Set<String> CONTENTS =
      Set.of(
          "audio",
          "audiourl",
          "documenturl",
          "file",
          "filedata",
          "fileuri",
          "fileurl",
          "image",
          "imageurl",
          "inputaudio",
          "video",
          "videourl");

  private static final Set<String> SOURCES = Set.of("base64", "text", "content", "file");

  private ReachRules() {}

  /// What all spellings of a member's name have in common. It is made of capitals first: some
  /// programs take a long s for an s.
  static String plain(String name) {
    return name.replace("_", "").replace("-", "").toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /// True if the caller executes such tools.
  static boolean allowsTool(ModelApi api, String type) {
    return switch (api) {
      case RESPONSES -> RESPONSES_TOOLS.contains(type);
      case CHAT_COMPLETIONS -> CHAT_TOOLS.contains(type);
      case MESSAGES -> CLAUDE_TOOLS.matcher(type).matches();
      case GEMINI -> false;
    };
  }

  /// True if the source of contents is in the body, or a file that the provider keeps.
  static boolean allowsSource(String type) {
    return SOURCES.contains(type);
  }

  static boolean namesServers(String plain) {
    return SERVERS.contains(plain);
  }

  static boolean namesWhatIsKept(String plain) {
    return KEPT.contains(plain);
  }

  static boolean holdsContents(String plain) {
    return CONTENTS.contains(plain);
  }

  /// True if an agent may write what it likes into a member, which the provider only passes on:
  /// arguments and results of functions, and schemas.
  ///
  /// @param name in the spelling of the API
  static boolean isFree(ModelApi api, String name) {
    return switch (api) {
      case RESPONSES ->
          switch (name) {
            case "arguments", "env", "output_schema", "parameters", "schema" -> true;
            case String _ -> false;
          };
      case CHAT_COMPLETIONS ->
          switch (name) {
            case "arguments", "parameters", "schema" -> true;
            case String _ -> false;
          };
      case MESSAGES ->
          switch (name) {
            case "input", "input_examples", "input_schema", "schema" -> true;
            case String _ -> false;
          };
      case GEMINI ->
          switch (name) {
            case "args",
                "parameters",
                "parametersJsonSchema",
                "parameters_json_schema",
                "response",
                "responseJsonSchema",
                "responseSchema",
                "response_json_schema",
                "response_schema" ->
                true;
            case String _ -> false;
          };
    };
  }

  /// True if a member of a body is a note of the caller's.
  static boolean isNote(String name) {
    return switch (name) {
      case "client_metadata", "labels", "metadata" -> true;
      case String _ -> false;
    };
  }
}
