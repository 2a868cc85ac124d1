package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ModelPage;
import dev.runyard.functions.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Where a list of jobs or of tasks goes on, in a form that callers have no reason to read.
final class PlaceCursor {
  private static final Pattern PLACE = Pattern.compile("[0-9]{13}#[A-Za-z0-9._-]{1,128}");

  private PlaceCursor() {}

  /// The page of a list that the cursor leads to.
  ///
  /// @param names of what is listed, and of the member that lists it
  static <S> Reply page(
      String names,
      Optional<String> cursor,
      Function<Optional<String>, ModelPage<S>> pages,
      Function<S, ObjectNode> shown) {
    Optional<String> after = cursor.flatMap(PlaceCursor::place);
    if (cursor.isPresent() && after.isEmpty()) {
      return Reply.of(
          ProblemCode.INVALID_CURSOR, "cursor must be a next_cursor of a list of " + names + ".");
    }
    ModelPage<S> page = pages.apply(after);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    page.states().stream().map(shown).forEach(json.putArray(names)::add);
    json.put("next_cursor", page.next().map(PlaceCursor::of).orElse(null));
    return Reply.json(200, json).with("Runyard-Consistency", "eventual");
  }

  private static String of(String place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.getBytes(StandardCharsets.US_ASCII));
  }

  /// The place; empty if this is no cursor of such a list.
  private static Optional<String> place(String cursor) {
    try {
      String place = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      return Optional.of(place).filter(text -> PLACE.matcher(text).matches());
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
