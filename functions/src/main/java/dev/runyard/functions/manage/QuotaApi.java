package dev.runyard.functions.manage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.QuotaStatus;
import dev.runyard.core.upload.Uploads;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the caller's tenant may use, and what it uses now.
public final class QuotaApi implements Resources<Endpoint> {
  private final QuotaStatus status;
  private final Uploads uploads;
  private final Supplier<KeptLedger> kept;

  /// @param kept asked for when a request comes
  public QuotaApi(QuotaStatus status, Uploads uploads, Supplier<KeptLedger> kept) {
    this.status = status;
    this.uploads = uploads;
    this.kept = kept;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/quota", this::get));
  }

  private Reply get(ApiRequest request) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    String tenant = request.caller().tenant();
    QuotaStatus.Now now = status.of(tenant);
    KeptLedger ledger = kept.get();
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("tenant", tenant);
    ObjectNode limits = json.putObject("limits");
    for (QuotaLimit limit : QuotaLimit.values()) {
      limits.put(limit.wire(), written(now.quota(), limit));
    }
    limits.put(QuotaLimit.KEPT_BYTES.wire(), ledger.most(tenant));
    limits.put(QuotaLimit.UPLOADS.wire(), uploads.most(tenant));
    ObjectNode used = json.putObject("used");
    used.put("minute_submits", now.minuteSubmits().orElse(null));
    used.put("open_runs", now.openRuns().orElse(null));
    used.put("running_runs", now.runningRuns().orElse(null));
    used.put("day_tokens", now.dayTokens().orElse(null));
    used.put("day_cost_usd", now.dayMicrodollars().map(Quota::dollars).orElse(null));
    used.put("kept_bytes", ledger.bytes(tenant));
    used.put("uploads", uploads.count(tenant));
    return Reply.json(200, json);
  }

  private static @Nullable BigDecimal written(Quota quota, QuotaLimit limit) {
    return quota.has(limit) ? quota.written(limit) : null;
  }
}
