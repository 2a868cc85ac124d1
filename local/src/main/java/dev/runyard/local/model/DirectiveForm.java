package dev.runyard.local.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The words a directive may start with, and how the rest of each is read.
enum DirectiveForm {
  SH("[[sh CMD]]"),
  WRITE("[[write FILE|TEXT]]"),
  CALL("[[call TOOL {json}]]"),
  SAY("[[say TEXT]]"),
  SLOW("[[slow N MS]]"),
  THINK("[[think TEXT]]"),
  USAGE("[[usage IN OUT]]"),
  DELAY("[[delay MS]]"),
  STATUS("[[status 500 xN]]"),
  FAIL("[[fail CODE]]"),
  HANG("[[hang]]"),
  DROP("[[drop]]");

  static final int DELTAS_MAX = 100_000;
  static final int PAUSE_MILLIS_MAX = 60_000;
  static final int DELAY_MILLIS_MAX = 600_000;
  static final int STATUS_TIMES_MAX = 1_000;

  private static final Pattern SLOW_BODY = Pattern.compile("(\\d{1,6}) +(\\d{1,6})(?:\\|(.*))?");
  private static final Pattern USAGE_BODY =
      Pattern.compile("(\\d{1,12}) +(\\d{1,12})(?: +(\\d{1,12}))?(?: +(\\d{1,12}))?");
  private static final Pattern STATUS_BODY = Pattern.compile("([45]\\d\\d)(?: +x(\\d{1,4}))?");
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,64}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

  private final String usage;

  DirectiveForm(String usage) {
    this.usage = usage;
  }

  /// How the directive is written, brackets included.
  String usage() {
    return usage;
  }

  static List<String> usages() {
    return Arrays.stream(values()).map(DirectiveForm::usage).toList();
  }

  /// Reads the text between the brackets; empty when its first word is not one of these.
  static Optional<Directive> read(String source) {
    String trimmed = source.strip();
    int end = 0;
    while (end < trimmed.length() && !Character.isWhitespace(trimmed.charAt(end))) {
      end++;
    }
    String word = trimmed.substring(0, end);
    String body = trimmed.substring(end).strip();
    return Arrays.stream(values())
        .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .map(form -> form.directive(source.strip(), body));
  }

  private Directive directive(String source, String body) {
    Directive unclear = new Directive.Unclear(source, usage);
    return switch (this) {
      case SH -> body.isEmpty() ? unclear : new Directive.Sh(source, body);
      case WRITE -> write(source, body).orElse(unclear);
      case CALL -> call(source, body).orElse(unclear);
      case SAY -> body.isEmpty() ? unclear : new Directive.Say(source, unescaped(body));
      case SLOW -> slow(source, body).orElse(unclear);
      case THINK -> body.isEmpty() ? unclear : new Directive.Think(source, unescaped(body));
      case USAGE -> tokens(source, body).orElse(unclear);
      case DELAY ->
          number(body, DELAY_MILLIS_MAX)
              .<Directive>map(millis -> new Directive.Delay(source, millis))
              .orElse(unclear);
      case STATUS -> status(source, body).orElse(unclear);
      case FAIL -> CODE.matcher(body).matches() ? new Directive.Fail(source, body) : unclear;
      case HANG -> body.isEmpty() ? new Directive.Hang(source) : unclear;
      case DROP -> body.isEmpty() ? new Directive.Drop(source) : unclear;
    };
  }

  private static Optional<Directive> write(String source, String body) {
    int bar = body.indexOf('|');
    if (bar < 1 || body.substring(0, bar).isBlank()) {
      return Optional.empty();
    }
    String text = unescaped(body.substring(bar + 1));
    return Optional.of(new Directive.Write(source, body.substring(0, bar).strip(), text));
  }

  private static Optional<Directive> call(String source, String body) {
    if (body.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = body.split("\\s+", 2);
    return Optional.of(
        new Directive.Call(source, parts[0], parts.length == 2 ? parts[1].strip() : "{}"));
  }

  private static Optional<Directive> slow(String source, String body) {
    Matcher matcher = SLOW_BODY.matcher(body);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Optional<Integer> deltas = number(matcher.group(1), DELTAS_MAX).filter(count -> count > 0);
    Optional<Integer> pause = number(matcher.group(2), PAUSE_MILLIS_MAX);
    String given = matcher.group(3);
    return deltas.flatMap(
        count ->
            pause.map(
                millis ->
                    new Directive.Slow(
                        source, count, millis, given == null ? words(count) : unescaped(given))));
  }

  private static Optional<Directive> tokens(String source, String body) {
    Matcher matcher = USAGE_BODY.matcher(body);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long[] counts = new long[4];
    for (int i = 0; i < counts.length; i++) {
      String group = matcher.group(i + 1);
      counts[i] = group == null ? 0 : Long.parseLong(group);
    }
    return Optional.of(
        new Directive.Usage(source, new Tokens(counts[0], counts[1], counts[2], counts[3])));
  }

  private static Optional<Directive> status(String source, String body) {
    Matcher matcher = STATUS_BODY.matcher(body);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int code = Integer.parseInt(matcher.group(1));
    String times = matcher.group(2);
    return times == null
        ? Optional.of(new Directive.Status(source, code, 0))
        : number(times, STATUS_TIMES_MAX)
            .filter(count -> count > 0)
            .map(count -> new Directive.Status(source, code, count));
  }

  private static Optional<Integer> number(String text, int max) {
    return Optional.of(text)
        .filter(digits -> NUMBER.matcher(digits).matches())
        .map(Integer::parseInt)
        .filter(value -> value <= max);
  }

  private static String words(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }

  private static String unescaped(String text) {
    StringBuilder result = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        result.append(c);
        continue;
      }
      char next = text.charAt(++i);
      switch (next) {
        case 'n' -> result.append('\n');
        case 't' -> result.append('\t');
        case '\\' -> result.append('\\');
        default -> result.append(c).append(next);
      }
    }
    return result.toString();
  }
}
