package dev.runyard.runner.backend.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CliTroubleTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          500 The server said so. | model_unavailable
          Last error: 529 | model_unavailable
          [API Error: Resource has been exhausted (e.g. check quota).] | rate_limited
          402 You exceeded your current quota, please check your plan. | quota_exhausted
          Authentication failed with provider (HTTP 401). | key_refused
          {"error":{"code":403,"message":"no"}} | access_denied
          Model 'x' not found on provider (HTTP 404). | no_such_model
          400 The request is odd. | request_rejected
          Unable to connect. Is the computer able to access the url? | network
          Could not connect to local model provider | network
          terminated (cause: other side closed) | network
          error decoding response body: error reading a body from connection: EOF | network
          -v, --version      show version number | bad_usage
          No saved session found with ID 1. | session_not_found
          error: unexpected argument '--nonsense' found | bad_usage
          Missing API key for this provider | no_key
          """)
  void findsTheMeaningOfWhatClisSay(String text, String code) {
    assertEquals(Optional.of(code), CliTrouble.find(text).map(CliTrouble::code));
  }

  @Test
  void takesNoOtherNumberForAStatus() {
    assertEquals(Optional.empty(), CliTrouble.find("read 500 files in 404 ms"));
    assertEquals(Optional.empty(), CliTrouble.ofStatus(200));
  }

  @Test
  void namesTheAgentAndNothingItSaid() {
    for (CliTrouble trouble : CliTrouble.values()) {
      assertFalse(trouble.failure("Mine").message().contains("%"), trouble.name());
    }
  }
}
