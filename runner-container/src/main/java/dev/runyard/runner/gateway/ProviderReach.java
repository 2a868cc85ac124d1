package dev.runyard.runner.gateway;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.limits.Bounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Looks in the body of a call for what would have its provider reach other servers. An agent whose
/// network is limited would send its data there.
///
/// Tools are allowed by their types. Where contents may be, they must be in the body; what only
/// agents understand, such as arguments of functions, is passed over. A member counts in each of
/// its spellings, and each time it occurs.
final class ProviderReach {
  private static final Pattern JSON_TYPE =
      Pattern.compile(
          "application/json\\s*(?:;\\s*charset=\"?utf-8\"?\\s*)?", Pattern.CASE_INSENSITIVE);

  /// The end of a model's name that has some providers search for it.
  private static final String SEARCHING = ":online";

  private static final int NAME_BYTES_MAX = 64;

  private final ModelApi api;
  private final RawBody body;
  private final JsonParser json;

  private ProviderReach(ModelApi api, byte[] body, JsonParser json) {
    this.api = api;
    this.body = new RawBody(body);
    this.json = json;
  }

  /// What an object is.
  private enum Part {
    BODY,
    /// Of the input of the Responses API.
    ITEM,
    TOOL,
    /// Where a tool of the Responses API is executed.
    ENVIRONMENT,
    /// It has contents, or says where they are.
    CONTENTS,
    /// The same, and has a type.
    SOURCE,
    OTHER
  }

  /// Why a call must not be forwarded; empty if its provider does all of it alone.
  static Optional<Refusal> refusal(IncomingCall call, List<String> models) {
    List<String> types = call.head().all("content-type").toList();
    if (types.size() != 1 || !JSON_TYPE.matcher(types.getFirst().strip()).matches()) {
      return Optional.of(Refusal.malformed("its Content-Type is not application/json"));
    }
    if (models.stream().anyMatch(name -> name.toLowerCase(Locale.ROOT).endsWith(SEARCHING))) {
      return Optional.of(Refusal.leadsOut("a model whose name ends with " + SEARCHING));
    }
    byte[] body = call.body();
    try (JsonParser json = CallBody.JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.of(notJson());
      }
      String member = new ProviderReach(call.api(), body, json).object(Part.BODY);
      if (member == null && json.nextToken() != null) {
        return Optional.of(notJson());
      }
      return Optional.ofNullable(member).map(Refusal::leadsOut);
    } catch (IOException _) {
      return Optional.of(notJson());
    }
  }

  private static Refusal notJson() {
    return Refusal.malformed("its body is no JSON object");
  }

  /// Reads an object to its end, or to a member that leads out, which it names.
  private @Nullable String object(Part part) throws IOException {
    List<String> types = new ArrayList<>();
    boolean local = false;
    boolean said = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      String plain = ReachRules.plain(name);
      if (plain.equals("type") && isTyped(part)) {
        Optional<String> type =
            name.equals("type") && value == JsonToken.VALUE_STRING
                ? body.word(json)
                : Optional.empty();
        if (type.isPresent()) {
          types.add(type.get());
        } else if (value != JsonToken.VALUE_NULL) {
          return "this spelling of " + of(part, "type");
        }
        continue;
      }
      local |= part == Part.TOOL && plain.equals("environment") && value == JsonToken.START_OBJECT;
      said |= part == Part.ITEM && name.equals("role") && value == JsonToken.VALUE_STRING;
      String member = member(part, name, plain, value);
      if (member != null) {
        return member;
      }
    }
    return switch (part) {
      case TOOL -> tool(types, local);
      case ENVIRONMENT -> types.equals(List.of("local")) ? null : "a tool's environment";
      case SOURCE -> types.stream().allMatch(ReachRules::allowsSource) ? null : "source.type";
      case ITEM -> item(types, said);
      case BODY, CONTENTS, OTHER -> null;
    };
  }

  private static boolean isTyped(Part part) {
    return switch (part) {
      case TOOL, ENVIRONMENT, SOURCE, ITEM -> true;
      case BODY, CONTENTS, OTHER -> false;
    };
  }

  private @Nullable String tool(List<String> types, boolean local) {
    if (api == ModelApi.GEMINI || (types.isEmpty() && api == ModelApi.MESSAGES)) {
      return null;
    }
    boolean shell = local && api == ModelApi.RESPONSES && types.equals(List.of("shell"));
    boolean one = types.size() == 1 && ReachRules.allowsTool(api, types.getFirst());
    return one || shell
        ? null
        : types.size() == 1
            ? "a tool of the type " + types.getFirst()
            : "a tool without a type, or with several,";
  }

  private static @Nullable String item(List<String> types, boolean said) {
    return types.contains("item_reference") || (types.isEmpty() && !said) ? "item_reference" : null;
  }

  /// Reads the value of a member.
  ///
  /// @param plain its name in all spellings
  private @Nullable String member(Part part, String name, String plain, JsonToken value)
      throws IOException {
    if (ReachRules.namesServers(plain)
        || (part == Part.BODY && ReachRules.namesWhatIsKept(plain))
        || (part == Part.TOOL && api == ModelApi.GEMINI && !plain.equals("functiondeclarations"))) {
      return isNothing(value) ? null : of(part, name);
    }
    if (part == Part.BODY ? ReachRules.isNote(name) : ReachRules.isFree(api, name)) {
      json.skipChildren();
      return null;
    }
    if (plain.equals("tools")) {
      return value == JsonToken.START_ARRAY
          ? elements(Part.TOOL, name)
          : isNothing(value) ? null : "this form of tools";
    }
    boolean address = part == Part.CONTENTS || part == Part.SOURCE;
    if (ReachRules.holdsContents(plain)
        || (address && (plain.equals("url") || plain.equals("uri")))
        || (part == Part.CONTENTS && plain.equals("data"))) {
      return plain.equals("filedata") && value.isStructStart()
          ? of(part, name)
          : inside(Part.CONTENTS, of(part, name), value);
    }
    return inside(inner(part, plain), name, value);
  }

  /// What is in a member of this name.
  private Part inner(Part part, String plain) {
    if (plain.equals("source")) {
      return Part.SOURCE;
    }
    if (part == Part.TOOL && plain.equals("environment")) {
      return Part.ENVIRONMENT;
    }
    return part == Part.BODY && api == ModelApi.RESPONSES && plain.equals("input")
        ? Part.ITEM
        : Part.OTHER;
  }

  private @Nullable String inside(Part part, String name, JsonToken value) throws IOException {
    if (value == JsonToken.START_OBJECT) {
      return object(part);
    }
    if (value == JsonToken.START_ARRAY) {
      return elements(part, name);
    }
    return part == Part.CONTENTS && value == JsonToken.VALUE_STRING && !body.holdsContents(json)
        ? name + " with an address"
        : null;
  }

  private @Nullable String elements(Part part, String name) throws IOException {
    for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
      if (part == Part.TOOL && next != JsonToken.START_OBJECT) {
        return "this form of tools";
      }
      String member = inside(part, name, next);
      if (member != null) {
        return member;
      }
    }
    return null;
  }

  /// True if a value asks for nothing; an array is read to its end then.
  private boolean isNothing(JsonToken value) throws IOException {
    return value == JsonToken.VALUE_NULL
        || value == JsonToken.VALUE_FALSE
        || (value == JsonToken.START_ARRAY && json.nextToken() == JsonToken.END_ARRAY);
  }

  private static String of(Part part, String name) {
    String text = Bounds.truncate(Bounds.wellFormed(name), NAME_BYTES_MAX);
    return part == Part.TOOL ? "tools." + text : part == Part.SOURCE ? "source." + text : text;
  }
}
