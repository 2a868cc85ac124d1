package dev.runyard.core.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Which tenant a principal of AWS belongs to, and what it may do: the operator's document
/// `{"principals": [{"arn", "tenant", "scopes"}]}`, of which the first entry that matches counts.
/// In `arn`, `*` stands for any characters and `?` for one. Without `scopes` a principal has all. A
/// broken document throws, which stops the process at its start.
public final class PrincipalTenants {
  private static final String PRINCIPALS = "principals";
  private static final Set<String> MEMBERS = Set.of("arn", "tenant", "scopes");
  private static final ObjectReader READER =
      JsonFormat.JSON
          .reader()
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final List<Entry> entries;

  private PrincipalTenants(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  private record Entry(Pattern arn, String tenant, Set<Scope> scopes) {}

  /// Reads the document.
  ///
  /// @throws IllegalArgumentException saying what is wrong
  public static PrincipalTenants parse(String document) {
    JsonNode principals = json(document).path(PRINCIPALS);
    if (!principals.isArray()) {
      throw wrong("must be a JSON object whose only member principals is a list");
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode principal : principals) {
      entries.add(entry(principal, "/principals/" + entries.size()));
    }
    return new PrincipalTenants(entries);
  }

  /// Whom a principal stands for; empty for one that the document does not name.
  public Optional<Identity> of(String arn) {
    return entries.stream()
        .filter(entry -> entry.arn().matcher(arn).matches())
        .findFirst()
        .map(entry -> new Identity.Principal(arn, entry.tenant(), entry.scopes()));
  }

  private static JsonNode json(String document) {
    try {
      JsonNode root = READER.readTree(document);
      boolean alone = root.isObject() && root.size() == 1;
      return alone ? root : JsonFormat.JSON.missingNode();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the tenants document is not JSON", e);
    }
  }

  private static Entry entry(JsonNode principal, String at) {
    if (!principal.isObject()) {
      throw wrong(at + " must be an object");
    }
    for (var member : principal.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw wrong(at + " has a member other than arn, tenant and scopes");
      }
    }
    String arn = principal.path("arn").asText();
    if (arn.isBlank()) {
      throw wrong(at + "/arn must be the pattern of an ARN");
    }
    String tenant = principal.path("tenant").asText();
    if (!RunKey.isTenant(tenant)) {
      throw wrong(at + "/tenant must be " + RunKey.TENANT_FORM);
    }
    return new Entry(pattern(arn), tenant, scopes(principal.path("scopes"), at + "/scopes"));
  }

  private static Set<Scope> scopes(JsonNode list, String at) {
    if (list.isMissingNode()) {
      return EnumSet.allOf(Scope.class);
    }
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (JsonNode name : list) {
      scopes.add(
          Scope.of(name.asText()).orElseThrow(() -> wrong(at + " must be of " + Scope.names())));
    }
    if (!list.isArray() || scopes.isEmpty()) {
      throw wrong(at + " must be a list of at least one of " + Scope.names());
    }
    return scopes;
  }

  private static Pattern pattern(String arn) {
    return Pattern.compile(
        arn.chars()
            .mapToObj(
                c ->
                    switch (c) {
                      case '*' -> ".*";
                      case '?' -> ".";
                      default -> Pattern.quote(Character.toString(c));
                    })
            .collect(Collectors.joining()));
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("the tenants document: " + what);
  }
}
