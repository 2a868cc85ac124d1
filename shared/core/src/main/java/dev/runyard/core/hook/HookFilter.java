package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a delivery must be for a hook to want it: something about one of its values.
record HookFilter(HookSource source, Test test) {
  static final String MEMBER = "when";
  private static final String POINTER = "pointer";
  private static final String HEADER = "header";
  private static final String EQUALS = "equals";
  private static final String IN = "in";
  private static final String EXISTS = "exists";
  private static final String CONTAINS = "contains";
  private static final List<String> TESTS = List.of(EQUALS, IN, EXISTS, CONTAINS);
  private static final Set<String> MEMBERS = Set.of(POINTER, HEADER, EQUALS, IN, EXISTS, CONTAINS);
  private static final HookSource NOWHERE = new HookSource.Header("none");

  /// What is asked of a value.
  sealed interface Test {
    record Equals(JsonNode value) implements Test {}

    record In(List<JsonNode> values) implements Test {
      public In {
        values = List.copyOf(values);
      }
    }

    record Exists(boolean there) implements Test {}

    /// A text has the value in it, or a list has it as an item.
    record Contains(JsonNode value) implements Test {}
  }

  /// Reads the filters of a hook.
  static List<HookFilter> read(JsonFields members) {
    return members.objects(MEMBER, HookLimits.FILTERS_MAX, MEMBERS).stream()
        .map(HookFilter::one)
        .toList();
  }

  private static HookFilter one(JsonFields filter) {
    List<String> tests = TESTS.stream().filter(filter::has).toList();
    if (tests.size() != 1) {
      filter.refuse(
          tests.isEmpty() ? EQUALS : tests.getLast(),
          "A filter has exactly one of " + String.join(", ", TESTS));
    }
    return new HookFilter(
        source(filter), test(filter, tests.isEmpty() ? EXISTS : tests.getFirst()));
  }

  private static HookSource source(JsonFields filter) {
    if (filter.has(POINTER) == filter.has(HEADER)) {
      filter.refuse(POINTER, "A filter has either pointer or header");
    }
    String member = filter.has(HEADER) ? HEADER : POINTER;
    Optional<String> text = filter.text(member);
    Optional<HookSource> source =
        member.equals(HEADER) ? text.flatMap(HookSource::header) : text.flatMap(HookFilter::place);
    if (text.isPresent() && source.isEmpty()) {
      filter.refuse(member, member + " must be " + HookSource.EXPECTED);
    }
    return source.orElse(NOWHERE);
  }

  private static Optional<HookSource> place(String text) {
    return text.startsWith("/") ? HookSource.read(text) : Optional.empty();
  }

  private static Test test(JsonFields filter, String name) {
    return switch (name) {
      case EQUALS -> new Test.Equals(scalar(filter, EQUALS));
      case IN -> new Test.In(scalars(filter));
      case CONTAINS -> new Test.Contains(scalar(filter, CONTAINS));
      default -> new Test.Exists(filter.flag(EXISTS));
    };
  }

  private static JsonNode scalar(JsonFields filter, String name) {
    JsonNode value = filter.value(name);
    if (!isScalar(value)) {
      filter.refuse(name, name + expected());
    }
    return value;
  }

  private static List<JsonNode> scalars(JsonFields filter) {
    JsonNode values = filter.value(IN);
    if (!values.isArray()
        || values.isEmpty()
        || values.size() > HookLimits.FILTER_VALUES_MAX
        || !values.valueStream().allMatch(HookFilter::isScalar)) {
      filter.refuse(
          IN,
          "in must be a list of 1 to %d values, each %s"
              .formatted(HookLimits.FILTER_VALUES_MAX, expected().strip()));
    }
    return values.valueStream().toList();
  }

  private static String expected() {
    return " must be a text, number or boolean of at most %d bytes"
        .formatted(HookLimits.FILTER_VALUE_BYTES_MAX);
  }

  private static boolean isScalar(JsonNode value) {
    return (value.isTextual() || value.isNumber() || value.isBoolean())
        && Bounds.bytes(value.asText()) <= HookLimits.FILTER_VALUE_BYTES_MAX;
  }

  /// True for a delivery that the filter lets through.
  boolean passes(HookPayload payload) {
    JsonNode found = source.in(payload);
    return switch (test) {
      case Test.Equals(JsonNode value) -> same(value, found);
      case Test.In(List<JsonNode> values) -> values.stream().anyMatch(v -> same(v, found));
      case Test.Exists(boolean there) -> there != (found.isMissingNode() || found.isNull());
      case Test.Contains(JsonNode value) ->
          found.isTextual()
              ? value.isTextual() && found.textValue().contains(value.textValue())
              : found.isArray() && found.valueStream().anyMatch(item -> same(value, item));
    };
  }

  /// Why it does not let a delivery through, without anything of the delivery.
  String missed() {
    return "filter on %s: %s"
        .formatted(
            source.text(),
            switch (test) {
              case Test.Equals _ -> "has another value";
              case Test.In _ -> "has none of the values";
              case Test.Exists(boolean there) -> there ? "has nothing" : "has something";
              case Test.Contains _ -> "does not contain it";
            });
  }

  private static boolean same(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return (one.isIntegralNumber() && other.isIntegralNumber())
          ? one.bigIntegerValue().equals(other.bigIntegerValue())
          : one.doubleValue() == other.doubleValue();
    }
    return one.equals(other);
  }
}
