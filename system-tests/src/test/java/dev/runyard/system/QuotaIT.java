package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A stack whose operator limits what tenants use.
@Order(8)
final class QuotaIT {
  private static final String QUOTAS =
      "QuotasDocument={\"default\":{\"running_runs_max\":1,\"open_runs_max\":3}}";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runsWaitForAPlaceAndWhatIsBeyondTheQuotaIsRefused(boolean emulated) throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack =
        emulated
            ? SystemStack.emulated(files, "--set", QUOTAS)
            : SystemStack.start(files, "--set", QUOTAS)) {
      Api api = stack.api();
      String first = api.run(Api.hold());
      String second = api.run(Api.echo(1, 0, ""));
      Api.Answer third = api.post("/runs", Acp.create("echo", "async"));
      assertEquals(202, third.status(), third.json()::toString);

      Api.Answer refused = api.post("/v1/runs", Api.echo(1, 0, ""));

      assertEquals(429, refused.status(), refused.json()::toString);
      assertEquals("quota_reached", refused.json().path("code").asText());
      assertEquals("open_runs_max", refused.json().path("limit").asText());
      assertEquals(3, refused.json().path("value").asInt());
      assertTrue(refused.http().headers().firstValue("Retry-After").isPresent());
      JsonNode quota = api.get("/v1/quota").json();
      assertEquals(3, quota.at("/used/open_runs").asInt(), quota::toString);
      assertEquals(1, quota.at("/used/running_runs").asInt(), quota::toString);

      assertEquals(202, api.cancel(first).status());
      assertEquals("cancelled", api.ended(first).path("status").asText());
      assertEquals("completed", api.ended(second).path("status").asText());
      api.until(third.json().path("run_id").asText(), "task.completed");
      List<JsonNode> events = api.all(second, 1000);
      assertTrue(
          events.stream().anyMatch(event -> event.at("/payload/behind").asText().equals("tenant")),
          events::toString);
      assertFalse(
          time(Api.first(events, "process.started"))
              .isBefore(time(Api.first(api.all(first, 1000), "task.cancelled"))));
    }
  }

  private static Instant time(JsonNode event) {
    return Instant.parse(event.path("timestamp").asText());
  }
}
