package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.SdkSystemSetting;

/// How long a call may take, whatever happens.
class AwsClientsTest {
  private static final Path TEMPLATE = Path.of("..", "..", "template.yaml");
  private static final Pattern TIMEOUT = Pattern.compile("(?m)^ {4,6}Timeout: (\\d+)$");
  private static final AwsClients CLIENTS =
      new AwsClients(
          new Settings(
              Map.of(
                  Settings.REGION, "us-east-1",
                  Settings.ACCESS_KEY_ID, "local",
                  Settings.SECRET_ACCESS_KEY, "local")));

  @Test
  void leavesEveryFunctionTimeForTwoCallsThatFail() throws IOException {
    List<Integer> timeouts =
        TIMEOUT
            .matcher(Files.readString(TEMPLATE))
            .results()
            .map((MatchResult found) -> Integer.valueOf(found.group(1)))
            .toList();

    assertTrue(timeouts.size() >= 4, () -> "function timeouts: " + timeouts);
    timeouts.forEach(seconds -> assertTrue(2 * AwsClients.CALL_SECONDS_MAX < seconds));
  }

  @Test
  void endsEveryCallInTime() {
    Stream.of(
            CLIENTS.dynamo(),
            CLIENTS.sqs(),
            CLIENTS.ecs(),
            CLIENTS.s3(),
            CLIENTS.secrets(),
            CLIENTS.parameters())
        .forEach(client -> assertEquals(AwsClients.CALL_SECONDS_MAX, secondsMax(client)));
    assertEquals(AwsClients.TRANSFER_SECONDS_MAX, secondsMax(CLIENTS.s3Transfers()));
    assertEquals(AwsClients.LARGE_SECONDS_MAX, secondsMax(CLIENTS.s3Large()));
  }

  @Test
  void givesACallTheTimeThatIsSet() {
    AwsClients patient =
        new AwsClients(
            new Settings(
                Map.of(
                    Settings.REGION, "us-east-1",
                    Settings.ACCESS_KEY_ID, "local",
                    Settings.SECRET_ACCESS_KEY, "local",
                    Settings.CALL_SECONDS, "40")));

    Stream.of(patient.dynamo(), patient.sqs(), patient.ecs(), patient.s3(), patient.secrets())
        .forEach(client -> assertEquals(40, secondsMax(client)));
    assertEquals(SqsRunQueue.WAIT_SECONDS_MAX + 40, secondsMax(patient.sqsReceives()));
  }

  @Test
  void waitsForAReceiveAsLongAsItMayWait() {
    assertEquals(
        SqsRunQueue.WAIT_SECONDS_MAX + AwsClients.CALL_SECONDS_MAX,
        secondsMax(CLIENTS.sqsReceives()));
  }

  @Test
  void refusesAnHttpServiceThatIsMissing() {
    String setting = SdkSystemSetting.SYNC_HTTP_SERVICE_IMPL.property();
    System.setProperty(setting, "org.example.NoService");
    try {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, CLIENTS::dynamo);
      assertEquals("there is no HTTP service org.example.NoService", refused.getMessage());
    } finally {
      System.clearProperty(setting);
    }
  }

  private static long secondsMax(SdkClient client) {
    try (client) {
      Optional<Duration> most =
          client.serviceClientConfiguration().overrideConfiguration().apiCallTimeout();
      return most.orElseThrow().toSeconds();
    }
  }
}
