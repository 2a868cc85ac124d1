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
          "AZURE_",
          "BASH_FUNC_",
          "BUN_",
          "CARGO_",
          "CLAUDE_",
          "CODEX_",
          "COPILOT_",
          "CORECLR_",
          "DENO_",
          "DOTNET_",
          "DYLD_",
          "ECS_",
          "ELECTRON_",
          "GEMINI_",
          "GIT_",
          "GOOGLE_",
          "JULIA_",
          "LD_",
          "LUA_",
          "MALLOC_",
          "NODE_",
          "NPM_CONFIG_",
          "OLLAMA_",
          "OPENAI_",
          "OPENCODE_",
          "OPENROUTER_",
          "OTEL_",
          "PIP_",
          "PI_",
          "PNPM_",
          "PYTHON",
          "QWEN_",
          "RUNYARD_",
          "RUSTC",
          "SSL_CERT_",
          "UV_",
          "XDG_",
          "YARN_");
  private static final Set<String> SUFFIXES =
      Set.of("_API_BASE", "_API_URL", "_BASE_URL", "_ENDPOINT", "_PROXY");
  private static final Set<String> NAMES =
      Set.of(
          "BASHOPTS",
          "BASH_ENV",
          "BROWSER",
          "CDPATH",
          "CLASSPATH",
          "EDITOR",
          "ENV",
          "FPATH",
          "GCONV_PATH",
          "GEM_HOME",
          "GEM_PATH",
          "GLIBC_TUNABLES",
          "GOFLAGS",
          "GRADLE_OPTS",
          "HOME",
          "HOSTALIASES",
          "IFS",
          "INPUTRC",
          "JAVA_OPTIONS",
          "JAVA_OPTS",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "LESSCLOSE",
          "LESSOPEN",
          "LOCPATH",
          "LOGNAME",
          "MANPAGER",
          "MAVEN_OPTS",
          "NLSPATH",
          "PAGER",
          "PATH",
          "PERL5DB",
          "PERL5LIB",
          "PERL5OPT",
          "PERLLIB",
          "PHPRC",
          "PHP_INI_SCAN_DIR",
          "PROMPT_COMMAND",
          "PS4",
          "PWD",
          "RES_OPTIONS",
          "RUBYLIB",
          "RUBYOPT",
          "SHELL",
          "SHELLOPTS",
          "SSH_ASKPASS",
          "SSH_AUTH_SOCK",
          "SUDO_ASKPASS",
          "TERMINFO",
          "TERMINFO_DIRS",
          "TMPDIR",
          "USER",
          "VISUAL",
          "ZDOTDIR",
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
