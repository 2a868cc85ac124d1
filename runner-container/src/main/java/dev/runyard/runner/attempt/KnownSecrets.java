package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.change.Secrets;
import java.io.IOException;
import java.io.InputStream;

/// The secrets that are cut out of what the attempt's agent says.
record KnownSecrets(Redaction redaction) implements Secrets {
  @Override
  public boolean in(InputStream content) throws IOException {
    return redaction.isIn(content);
  }

  @Override
  public String without(String text) {
    return redaction.text(text);
  }
}
