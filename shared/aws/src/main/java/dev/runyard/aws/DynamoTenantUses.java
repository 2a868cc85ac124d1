package dev.runyard.aws;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// What tenants use, one item each, in one partition of the views table. Each change is one
/// conditional update: a set of ids takes a run only once, and its size is the count.
public final class DynamoTenantUses implements TenantUses {
  /// Most updates of one call that find another minute or day than the one before.
  private static final int TRIES_MAX = 20;

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoTenantUses(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public TenantUse read(String tenant) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(UseItem.key(tenant))
            .consistentRead(true)
            .build();
    return UseItem.use(ServiceCall.answer("what is used", () -> dynamo.getItem(request)).item());
  }

  @Override
  public Map<String, TenantUse> all() {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("pk = :p")
            .expressionAttributeValues(Map.of(":p", UseItem.partition()))
            .build();
    Map<String, TenantUse> all = new TreeMap<>();
    ServiceCall.answer(
        "what all use",
        () -> {
          dynamo
              .queryPaginator(request)
              .items()
              .forEach(item -> all.put(Attributes.textOf(item, "sk"), UseItem.use(item)));
          return all;
        });
    return all;
  }

  @Override
  public Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
    String id = run.runId();
    Optional<QuotaLimit> always = TenantUse.NONE.refusal(quota, id, now);
    if (always.isPresent()) {
      return always;
    }
    boolean sameMinute = true;
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<UseUpdate.Refused> refused =
          admission(run, quota, now, sameMinute).apply(dynamo, table, run.tenant());
      if (refused.isEmpty() || refused.get().there().open().contains(id)) {
        return Optional.empty();
      }
      TenantUse there = refused.get().there();
      Optional<QuotaLimit> limit = there.refusal(quota, id, now);
      if (limit.isPresent()) {
        return limit;
      }
      sameMinute = there.minute() > 0 && there.minute() >= TenantUse.minuteOf(now);
    }
    throw unsettled();
  }

  private UseUpdate admission(RunKey run, Quota quota, Instant now, boolean sameMinute) {
    UseUpdate update = update(run);
    if (quota.countsOpen()) {
      update.join(UseItem.OPEN).whereRoom(UseItem.OPEN, run.runId(), quota.openMost());
    }
    if (quota.has(QuotaLimit.DAY_TOKENS) || quota.has(QuotaLimit.DAY_COST)) {
      update.whereLeft(
          TenantUse.dayOf(now), quota.most(QuotaLimit.DAY_TOKENS), quota.most(QuotaLimit.DAY_COST));
    }
    if (quota.has(QuotaLimit.MINUTE_SUBMITS)) {
      long minute = TenantUse.minuteOf(now);
      if (sameMinute) {
        update
            .join(UseItem.SUBMITTED)
            .whereFrom(UseItem.MINUTE, minute)
            .whereRoom(UseItem.SUBMITTED, run.runId(), quota.most(QuotaLimit.MINUTE_SUBMITS));
      } else {
        update
            .set(UseItem.MINUTE, Attributes.number(minute))
            .set(UseItem.SUBMITTED, UseItem.set(run.runId()))
            .whereBefore(UseItem.MINUTE, minute);
      }
    }
    return update;
  }

  @Override
  public boolean place(RunKey run, long most) {
    UseUpdate update = update(run).join(UseItem.PLACED);
    if (most == 0) {
      update.where(UseItem.PLACED, run.runId());
    } else {
      update.whereRoom(UseItem.PLACED, run.runId(), most);
    }
    return update.apply(dynamo, table, run.tenant()).isEmpty();
  }

  @Override
  public void free(RunKey run, Optional<Ended> ended) {
    if (ended.isEmpty() || !ended(run, ended.get())) {
      update(run)
          .leave(UseItem.PLACED)
          .where(UseItem.PLACED, run.runId())
          .apply(dynamo, table, run.tenant());
    }
  }

  /// False if the run was not counted as open, and so nothing is added.
  private boolean ended(RunKey run, Ended end) {
    boolean today = true;
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<UseUpdate.Refused> refused = end(run, end, today).apply(dynamo, table, run.tenant());
      if (refused.isEmpty()) {
        return true;
      }
      TenantUse there = refused.get().there();
      if (!there.open().contains(run.runId())) {
        return !there.placed().contains(run.runId());
      }
      today = there.day() > 0 && there.day() >= TenantUse.dayOf(end.at());
    }
    throw unsettled();
  }

  private UseUpdate end(RunKey run, Ended end, boolean today) {
    long day = TenantUse.dayOf(end.at());
    UseUpdate update =
        update(run).leave(UseItem.OPEN).leave(UseItem.PLACED).where(UseItem.OPEN, run.runId());
    return today
        ? update
            .add(UseItem.TOKENS, end.tokens())
            .add(UseItem.COST, end.microdollars())
            .whereFrom(UseItem.DAY, day)
        : update
            .set(UseItem.DAY, Attributes.number(day))
            .set(UseItem.TOKENS, Attributes.number(end.tokens()))
            .set(UseItem.COST, Attributes.number(end.microdollars()))
            .whereBefore(UseItem.DAY, day);
  }

  private UseUpdate update(RunKey run) {
    AttributeValue expires = Attributes.expiry(clock, retention);
    return new UseUpdate(run.runId(), expires);
  }

  private static PortUnavailable unsettled() {
    return new PortUnavailable("others count at the same time");
  }
}
