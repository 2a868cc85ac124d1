package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.change.Secrets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The secrets that are cut out of what the attempt's agent says, and the files that have lost
/// some.
record KnownSecrets(Redaction redaction) implements Secrets {
  @Override
  public boolean in(InputStream content) throws IOException {
    if (redaction.altered().isEmpty()) {
      return redaction.isIn(content);
    }
    byte[] all;
    try (content) {
      all = content.readAllBytes();
    }
    return redaction.isIn(new ByteArrayInputStream(all))
        || redaction.altered().isOne(new ByteArrayInputStream(all));
  }

  @Override
  public String without(String text) {
    return redaction.text(text);
  }

  @Override
  public boolean altered(String path) {
    return redaction.altered().has(path);
  }
}
