package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void namesTheVariableThatIsMissing() {
    Settings empty = new Settings(Map.of(Settings.VIEWS_TABLE, "  "));

    assertEquals("AWS_REGION is not set", error(empty, Settings::region));
    assertEquals("RUNYARD_EVENTS_TABLE is not set", error(empty, Settings::eventsTable));
    assertEquals("RUNYARD_VIEWS_TABLE is not set", error(empty, Settings::viewsTable));
    assertEquals("RUNYARD_RUNNERS_MAX is not set", error(empty, Settings::runnersMax));
    assertEquals("RUNYARD_SUBNETS is not set", error(empty, Settings::subnets));
  }

  @Test
  void namesTheVariableThatIsMalformed() {
    Settings settings =
        new Settings(
            Map.of(
                Settings.RUNS_PER_RUNNER, "0",
                Settings.RUNNERS_MAX, "many",
                Settings.SECURITY_GROUPS, " , ",
                Settings.ENDPOINT_URL, "not a url",
                Settings.ENDPOINT_URL_ECS, "localhost:4566"));

    assertEquals(
        "RUNYARD_RUNS_PER_RUNNER is at least 1, not 0", error(settings, Settings::runsPerRunner));
    assertEquals(
        "RUNYARD_RUNNERS_MAX is not a whole number: many", error(settings, Settings::runnersMax));
    assertEquals(
        "RUNYARD_SECURITY_GROUPS names nothing", error(settings, Settings::securityGroups));
    assertEquals(
        "AWS_ENDPOINT_URL_SQS is not a URL: not a url", error(settings, Settings::sqsEndpoint));
    assertEquals(
        "AWS_ENDPOINT_URL_ECS is not a URL: localhost:4566",
        error(settings, Settings::ecsEndpoint));
  }

  @Test
  void letsTheEndpointOfAServiceWinOverTheCommonOne() {
    Settings settings =
        new Settings(
            Map.of(
                Settings.ENDPOINT_URL, "http://127.0.0.1:1",
                Settings.ENDPOINT_URL_SQS, "http://127.0.0.1:2"));

    assertEquals(Optional.of(URI.create("http://127.0.0.1:1")), settings.dynamoEndpoint());
    assertEquals(Optional.of(URI.create("http://127.0.0.1:2")), settings.sqsEndpoint());
    assertEquals(Optional.empty(), new Settings(Map.of()).ecsEndpoint());
  }

  @Test
  void leavesRotatingCredentialsToTheSdk() {
    Map<String, String> pair =
        Map.of(Settings.ACCESS_KEY_ID, "id", Settings.SECRET_ACCESS_KEY, "hidden");
    Map<String, String> rotating =
        Map.of(
            Settings.ACCESS_KEY_ID, "id",
            Settings.SECRET_ACCESS_KEY, "hidden",
            Settings.SESSION_TOKEN, "token");

    assertEquals(Optional.of(new Settings.KeyPair("id", "hidden")), new Settings(pair).keyPair());
    assertEquals("Optional[id]", new Settings(pair).keyPair().toString());
    assertEquals(Optional.empty(), new Settings(rotating).keyPair());
    assertEquals(Optional.empty(), new Settings(Map.of()).keyPair());
  }

  @Test
  void readsListsAndTimes() {
    Settings settings =
        new Settings(
            Map.of(
                Settings.SUBNETS, "subnet-1, subnet-2,",
                Settings.FLUSH_MILLIS, "50",
                Settings.TAIL_MILLIS, "100",
                Settings.IDLE_SECONDS, "60",
                Settings.AWAIT_GRACE_SECONDS, "5",
                Settings.RETENTION_DAYS, "30"));

    assertEquals(List.of("subnet-1", "subnet-2"), settings.subnets());
    assertEquals(Duration.ofMillis(50), settings.flush());
    assertEquals(Duration.ofMillis(100), settings.tail());
    assertEquals(Duration.ofMinutes(1), settings.idle());
    assertEquals(Duration.ofDays(30), settings.retention());
  }

  private static String error(Settings settings, Function<Settings, Object> read) {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> read.apply(settings)).getMessage());
  }
}
