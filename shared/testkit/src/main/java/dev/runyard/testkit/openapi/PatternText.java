package dev.runyard.testkit.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Makes texts that a pattern of a schema matches as a whole: of literals, classes, groups,
/// alternatives and quantifiers. What it cannot read it refuses.
final class PatternText {
  private static final int REPEATED_MAX = 6;
  private static final String ANY = "abcXYZ019 _-.é";

  private final String pattern;
  private final Random random;
  private int at;

  private PatternText(String pattern, Random random) {
    this.pattern = pattern;
    this.random = random;
  }

  /// A text that matches.
  static String of(String pattern, Random random) {
    if (pattern.equals("\\S")) {
      return "x";
    }
    if (!pattern.startsWith("^") || !pattern.endsWith("$")) {
      throw new IllegalArgumentException("a pattern of a part of a text: " + pattern);
    }
    String inner = pattern.substring(1, pattern.length() - 1);
    return new PatternText(inner, random).alternatives();
  }

  /// All alternatives are read, and one of them is taken.
  private String alternatives() {
    List<String> texts = new ArrayList<>(List.of(sequence()));
    while (at < pattern.length() && pattern.charAt(at) == '|') {
      at++;
      texts.add(sequence());
    }
    return texts.get(random.nextInt(texts.size()));
  }

  private String sequence() {
    StringBuilder text = new StringBuilder();
    while (at < pattern.length() && pattern.charAt(at) != '|' && pattern.charAt(at) != ')') {
      int start = at;
      String once = atom();
      int end = at;
      int[] times = times();
      int after = at;
      int count = times[0] + random.nextInt(times[1] - times[0] + 1);
      for (int i = 0; i < count; i++) {
        at = start;
        text.append(i == 0 ? once : atom());
      }
      at = count == 0 ? after : Math.max(after, end);
    }
    return text.toString();
  }

  private String atom() {
    char c = pattern.charAt(at++);
    return switch (c) {
      case '(' -> {
        String inner = alternatives();
        at++;
        yield inner;
      }
      case '[' -> String.valueOf(one(set()));
      case '\\' -> String.valueOf(pattern.charAt(at++));
      case '.' -> String.valueOf(one(ANY));
      default -> String.valueOf(c);
    };
  }

  private String set() {
    StringBuilder set = new StringBuilder();
    while (pattern.charAt(at) != ']') {
      char from = pattern.charAt(at++);
      if (pattern.charAt(at) == '-' && pattern.charAt(at + 1) != ']') {
        char to = pattern.charAt(at + 1);
        at += 2;
        for (char c = from; c <= to; c++) {
          set.append(c);
        }
      } else {
        set.append(from);
      }
    }
    at++;
    return set.toString();
  }

  /// The least and the most repetitions of what was just read.
  private int[] times() {
    if (at >= pattern.length()) {
      return new int[] {1, 1};
    }
    return switch (pattern.charAt(at)) {
      case '*' -> upTo(0);
      case '+' -> upTo(1);
      case '?' -> {
        at++;
        yield new int[] {0, 1};
      }
      case '{' -> {
        int end = pattern.indexOf('}', at);
        String[] bounds = pattern.substring(at + 1, end).split(",", -1);
        at = end + 1;
        int least = Integer.parseInt(bounds[0]);
        yield new int[] {least, bounds.length == 1 ? least : Integer.parseInt(bounds[1])};
      }
      default -> new int[] {1, 1};
    };
  }

  private int[] upTo(int least) {
    at++;
    return new int[] {least, REPEATED_MAX};
  }

  private char one(String set) {
    return set.charAt(random.nextInt(set.length()));
  }
}
