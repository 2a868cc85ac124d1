package dev.runyard.core.agent;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Names of environment variables, and which of them can take over a process: those that make a
/// loader, a shell or an interpreter run other code, those that redirect where an agent finds its
/// programs, settings, proxies and model, those that configure agents' permissions, hooks or
/// telemetry, and those that configure the runner itself.
public final class EnvNames {
  public static final int BYTES_MAX = 128;
  private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> PREFIXES =
      Set.of(
          "ANTHROPIC_",
          "AWS_",
          "BASH_FUNC_",
          "BUN_",
          "CLAUDE_",
          "CODEX_",
          "COPILOT_",
          "DYLD_",
          "ECS_",
          "GEMINI_",
          "GIT_",
          "GOOGLE_",
          "LD_",
          "NODE_",
          "NPM_CONFIG_",
          "OPENAI_",
          "OPENCODE_",
          "OTEL_",
          "PI_",
          "PYTHON",
          "QWEN_",
          "RUNYARD_",
          "SSL_CERT_",
          "XDG_");
  private static final Set<String> SUFFIXES = Set.of("_BASE_URL", "_PROXY");
  private static final Set<String> NAMES =
      Set.of(
          "BASHOPTS",
          "BASH_ENV",
          "CDPATH",
          "CLASSPATH",
          "ENV",
          "GCONV_PATH",
          "GEM_HOME",
          "GEM_PATH",
          "GLIBC_TUNABLES",
          "HOME",
          "IFS",
          "JAVA_OPTIONS",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "LOGNAME",
          "PATH",
          "PERL5DB",
          "PERL5LIB",
          "PERL5OPT",
          "PERLLIB",
          "PROMPT_COMMAND",
          "PS4",
          "PWD",
          "RUBYLIB",
          "RUBYOPT",
          "SHELL",
          "SHELLOPTS",
          "TMPDIR",
          "USER",
          "_JAVA_OPTIONS");

  private EnvNames() {}

  public static boolean isName(String text) {
    return text.length() <= BYTES_MAX && GRAMMAR.matcher(text).matches();
  }

  static boolean takesOver(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return NAMES.contains(upper)
        || PREFIXES.stream().anyMatch(upper::startsWith)
        || SUFFIXES.stream().anyMatch(upper::endsWith);
  }
}
