package dev.runyard.gates.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A filter of CloudWatch Logs for lines of JSON, as far as the template uses its syntax: members
/// of the line compared with a text or a number, all of which must hold. Anything else is refused.
record LogPattern(List<Term> terms) {
  private static final Pattern WHOLE = Pattern.compile("\\{ (.+) \\}");
  private static final Pattern TERM =
      Pattern.compile("\\$\\.([a-z_]+) (=|>) (?:\"([^\"*]*)\"|(\\d+))");

  /// One comparison.
  ///
  /// @param text what the member must say; empty if a number is compared
  record Term(String member, boolean above, Optional<String> text, long number) {
    boolean holds(JsonNode line) {
      JsonNode value = line.path(member);
      if (text.isPresent()) {
        return value.isTextual() && value.textValue().equals(text.get());
      }
      return value.isNumber()
          && (above ? value.doubleValue() > number : value.doubleValue() == number);
    }
  }

  static LogPattern of(String written) {
    Matcher whole = WHOLE.matcher(written);
    if (!whole.matches()) {
      throw new AssertionError("no pattern for lines of JSON: " + written);
    }
    List<Term> terms = new ArrayList<>();
    for (String one : whole.group(1).split(" && ", -1)) {
      Matcher term = TERM.matcher(one);
      boolean known = term.matches();
      if (!known || (term.group(3) != null && term.group(2).equals(">"))) {
        throw new AssertionError("no comparison that is known here: " + one);
      }
      terms.add(
          new Term(
              term.group(1),
              term.group(2).equals(">"),
              Optional.ofNullable(term.group(3)),
              term.group(4) == null ? 0 : Long.parseLong(term.group(4))));
    }
    return new LogPattern(List.copyOf(terms));
  }

  boolean matches(JsonNode line) {
    return terms.stream().allMatch(term -> term.holds(line));
  }

  /// The members it looks at: a metric takes its value from one of these.
  List<String> members() {
    return terms.stream().map(Term::member).toList();
  }
}
