package dev.runyard.core.quota;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What the operator lets tenants use: the document `{"default": {…}, "tenants": {"shop": {…}}}`,
/// whose members are the names of [QuotaLimit]. A tenant has its own limits, and the default ones
/// where it names none; `null` there means none. A broken document throws, which stops the process
/// at its start.
public final class Quotas {
  public static final Quotas NONE = new Quotas(Quota.NONE, Map.of());

  private static final String DEFAULT = "default";
  private static final String TENANTS = "tenants";
  private static final Pattern TENANT = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
  private static final Set<String> LIMITS =
      Arrays.stream(QuotaLimit.values())
          .map(QuotaLimit::wire)
          .collect(Collectors.toUnmodifiableSet());
  private static final ObjectReader READER =
      JsonFormat.JSON
          .reader()
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Quota common;
  private final Map<String, Quota> byTenant;

  private Quotas(Quota common, Map<String, Quota> byTenant) {
    this.common = common;
    this.byTenant = Map.copyOf(byTenant);
  }

  /// The same limits for each tenant.
  public static Quotas all(Quota quota) {
    return new Quotas(quota, Map.of());
  }

  /// The limits of a document.
  ///
  /// @throws IllegalArgumentException naming what is wrong
  public static Quotas parse(String document) {
    return parse(document, Quota.NONE);
  }

  /// The limits of a document.
  ///
  /// @param usual limits that hold where the default ones of the document name none
  /// @throws IllegalArgumentException naming what is wrong
  public static Quotas parse(String document, Quota usual) {
    JsonFields fields = JsonFields.of(json(document), Set.of(DEFAULT, TENANTS));
    Quota common = quota(fields.object(DEFAULT, LIMITS), usual);
    JsonFields tenants = fields.object(TENANTS);
    Map<String, Quota> byTenant = new HashMap<>();
    for (String tenant : tenants.names()) {
      if (!TENANT.matcher(tenant).matches()) {
        tenants.refuse(tenant, "This is not the name of a tenant.");
      }
      byTenant.put(tenant, quota(tenants.object(tenant, LIMITS), common));
    }
    fields.problem().ifPresent(Quotas::refuse);
    return new Quotas(common, byTenant);
  }

  public Quota of(String tenant) {
    return byTenant.getOrDefault(tenant, common);
  }

  /// Whether any tenant has a limit for which runs are counted.
  public boolean countRuns() {
    return common.countsRuns() || byTenant.values().stream().anyMatch(Quota::countsRuns);
  }

  private static Quota quota(JsonFields members, Quota common) {
    Map<QuotaLimit, Long> limits = new EnumMap<>(QuotaLimit.class);
    limits.putAll(common.limits());
    for (QuotaLimit limit : QuotaLimit.values()) {
      if (members.names().contains(limit.wire())) {
        limits.remove(limit);
      }
      value(members, limit).ifPresent(value -> limits.put(limit, value));
    }
    return new Quota(limits);
  }

  private static OptionalLong value(JsonFields members, QuotaLimit limit) {
    if (limit != QuotaLimit.DAY_COST) {
      return members.optionalWhole(limit.wire(), limit.least(), limit.most());
    }
    var dollars = members.optionalPositive(limit.wire(), Limits.COST_USD_MAX);
    return dollars.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(dollars.getAsDouble() * Quota.MICRODOLLARS));
  }

  private static ObjectNode json(String document) {
    try {
      JsonNode json = READER.readTree(document);
      if (json instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      String place = e.getLocation() == null ? "" : " near line " + e.getLocation().getLineNr();
      throw new IllegalArgumentException("The quotas document is not JSON" + place + ".", e);
    }
    throw new IllegalArgumentException("The quotas document is not a JSON object.");
  }

  private static void refuse(Problem problem) {
    throw new IllegalArgumentException(
        "The quotas document is wrong at %s: %s"
            .formatted(String.join(", ", problem.pointers()), problem.detail()));
  }
}
