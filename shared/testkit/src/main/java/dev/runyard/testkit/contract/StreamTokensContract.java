package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import java.security.SecureRandom;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [StreamTokens] promises.
public abstract class StreamTokensContract {
  private final SecureRandom random = new SecureRandom();
  private StreamTokens tokens;

  /// The tokens under test; there may be some of other tenants.
  protected abstract StreamTokens tokens();

  @BeforeEach
  void open() {
    tokens = tokens();
  }

  @Test
  void findsATokenByItsHashAlone() {
    StreamToken token = token();
    StreamToken other = token(Optional.empty());
    tokens.add(token);
    tokens.add(other);

    assertEquals(Optional.of(token), tokens.find(token.hash()));
    assertEquals(Optional.of(other), tokens.find(other.hash()));
    assertEquals(Optional.empty(), tokens.find(token().hash()));
    assertEquals(Optional.empty(), tokens.find(token.run().runId()));
  }

  private StreamToken token() {
    return token(Optional.of("hash-of-a-key"));
  }

  private StreamToken token(Optional<String> key) {
    return new StreamToken(
        StreamToken.hash(StreamToken.drawn(random)).orElseThrow(),
        SampleRuns.run(),
        "key:k1",
        key,
        SampleRuns.START.plusSeconds(60));
  }
}
