package dev.runyard.core.submit;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Names of environment variables a request may set. Refused are those that make a loader, a shell
/// or an interpreter run other code, those that redirect where an agent finds its programs,
/// settings, proxies and model, and those that configure the runner itself.
final class EnvNames {
  static final int BYTES_MAX = 128;
  private static final Pattern GRAMMAR = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> PREFIXES =
      Set.of(
          "AWS_",
          "BASH_FUNC_",
          "DYLD_",
          "ECS_",
          "GIT_CONFIG",
          "GIT_SSH",
          "LD_",
          "NPM_CONFIG_",
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
          "CODEX_HOME",
          "ENV",
          "GCONV_PATH",
          "GEM_HOME",
          "GEM_PATH",
          "GIT_ASKPASS",
          "GIT_EDITOR",
          "GIT_EXEC_PATH",
          "GIT_EXTERNAL_DIFF",
          "GIT_PAGER",
          "GIT_PROXY_COMMAND",
          "GIT_TEMPLATE_DIR",
          "GLIBC_TUNABLES",
          "HOME",
          "IFS",
          "JAVA_OPTIONS",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "LOGNAME",
          "NODE_EXTRA_CA_CERTS",
          "NODE_OPTIONS",
          "NODE_PATH",
          "PATH",
          "PERL5DB",
          "PERL5LIB",
          "PERL5OPT",
          "PERLLIB",
          "PROMPT_COMMAND",
          "PS4",
          "PWD",
          "PYTHONEXECUTABLE",
          "PYTHONHOME",
          "PYTHONINSPECT",
          "PYTHONPATH",
          "PYTHONSTARTUP",
          "PYTHONUSERBASE",
          "PYTHONWARNINGS",
          "RUBYLIB",
          "RUBYOPT",
          "SHELL",
          "SHELLOPTS",
          "USER",
          "_JAVA_OPTIONS");

  private EnvNames() {}

  static boolean isName(String text) {
    return text.length() <= BYTES_MAX && GRAMMAR.matcher(text).matches();
  }

  static boolean isRefused(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return NAMES.contains(upper)
        || PREFIXES.stream().anyMatch(upper::startsWith)
        || SUFFIXES.stream().anyMatch(upper::endsWith);
  }
}
