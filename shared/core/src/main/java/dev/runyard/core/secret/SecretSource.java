package dev.runyard.core.secret;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where the operator keeps a secret. The agents file names it, as one of `env:NAME`, `file:/PATH`,
/// `secretsmanager:NAME-or-ARN[#member]` and `ssm:/NAME`; its value is only read by a runner, when
/// it starts an agent, or by the API, when it checks a webhook.
public sealed interface SecretSource {
  /// The forms, for people.
  String FORMS = "env:NAME, file:/PATH, secretsmanager:NAME-or-ARN[#member] or ssm:/NAME";

  /// A variable of the runner.
  record Variable(String name) implements SecretSource {
    private static final Pattern FORM = Pattern.compile("env:([A-Za-z_][A-Za-z0-9_]*)");
  }

  /// A file of the runner's user.
  ///
  /// @param path absolute
  record PrivateFile(String path) implements SecretSource {
    private static final Pattern FORM = Pattern.compile("file:(/[^\\x00]+)");
  }

  /// A secret of Secrets Manager.
  ///
  /// @param id name or ARN
  /// @param member which one of the secret's JSON object is meant; empty for all of its text
  record Managed(String id, Optional<String> member) implements SecretSource {
    private static final Pattern FORM =
        Pattern.compile(
            "secretsmanager:([A-Za-z0-9/_+=.@!:-]{1,2048})(?:#([^\\x00-\\x1f#]{1,256}))?");
  }

  /// A parameter of SSM, of any type.
  record Parameter(String name) implements SecretSource {
    private static final Pattern FORM = Pattern.compile("ssm:(/[A-Za-z0-9_./-]{1,1010})");
  }

  /// The place that a text names; empty if it names none.
  static Optional<SecretSource> read(String text) {
    Matcher variable = Variable.FORM.matcher(text);
    if (variable.matches()) {
      return Optional.of(new Variable(variable.group(1)));
    }
    Matcher file = PrivateFile.FORM.matcher(text);
    if (file.matches()) {
      return Optional.of(new PrivateFile(file.group(1)));
    }
    Matcher managed = Managed.FORM.matcher(text);
    if (managed.matches()) {
      return Optional.of(new Managed(managed.group(1), Optional.ofNullable(managed.group(2))));
    }
    Matcher parameter = Parameter.FORM.matcher(text);
    return parameter.matches() ? Optional.of(new Parameter(parameter.group(1))) : Optional.empty();
  }
}
