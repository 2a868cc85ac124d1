package dev.runyard.local.model;

import java.util.ArrayList;
import java.util.List;

/// The directives of one text, in order. Text around them is ignored. A body may itself contain
/// pairs of double brackets, as in shell conditions and nested JSON lists. Directives beyond
/// [#DIRECTIVES_MAX] are ignored.
public record Script(List<Directive> directives) {

  public static final int DIRECTIVES_MAX = 256;
  private static final String OPEN = "[[";
  private static final String CLOSE = "]]";

  public Script {
    directives = List.copyOf(directives);
  }

  public static Script parse(String text) {
    List<Directive> found = new ArrayList<>();
    int at = text.indexOf(OPEN);
    while (at >= 0 && found.size() < DIRECTIVES_MAX) {
      int end = closing(text, at + OPEN.length());
      int next = at + OPEN.length();
      if (end >= 0) {
        var directive = DirectiveForm.read(text.substring(at + OPEN.length(), end));
        directive.ifPresent(found::add);
        next = directive.isPresent() ? end + CLOSE.length() : next;
      }
      at = text.indexOf(OPEN, next);
    }
    return new Script(found);
  }

  boolean isEmpty() {
    return directives.isEmpty();
  }

  /// The directives of each reply: a tool call, an ending or an unclear directive closes one.
  List<List<Directive>> steps() {
    List<List<Directive>> steps = new ArrayList<>();
    List<Directive> step = new ArrayList<>();
    for (Directive directive : directives) {
      step.add(directive);
      if (closesStep(directive)) {
        steps.add(List.copyOf(step));
        step.clear();
      }
    }
    if (!step.isEmpty()) {
      steps.add(List.copyOf(step));
    }
    return steps;
  }

  private static boolean closesStep(Directive directive) {
    return switch (directive) {
      case Directive.Sh _,
          Directive.Write _,
          Directive.Call _,
          Directive.Fail _,
          Directive.Hang _,
          Directive.Drop _,
          Directive.Unclear _ ->
          true;
      case Directive.Status status -> status.always();
      case Directive.Say _,
          Directive.Slow _,
          Directive.Think _,
          Directive.Usage _,
          Directive.Delay _ ->
          false;
    };
  }

  /// The index of the bracket pair that closes the body, or -1. Of an odd number of brackets the
  /// first belongs to the body.
  private static int closing(String text, int from) {
    int depth = 0;
    int at = from;
    while (at < text.length()) {
      if (text.startsWith(OPEN, at)) {
        depth++;
        at += OPEN.length();
      } else if (text.startsWith(CLOSE, at)) {
        if (depth == 0) {
          int run = at;
          while (run < text.length() && text.charAt(run) == ']') {
            run++;
          }
          return (run - at) % 2 == 0 ? at : at + 1;
        }
        depth--;
        at += CLOSE.length();
      } else {
        at++;
      }
    }
    return -1;
  }
}
