package dev.runyard.runner.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.testkit.certificate.Certificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/// A model provider that speaks HTTP/2 with a certificate of its own: a process of Node.js.
final class SecureProvider implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final Certificate certificate;
  private final int port;

  /// @param folder an empty one
  SecureProvider(Path folder) throws IOException, InterruptedException, URISyntaxException {
    certificate = Certificate.of("localhost", folder.resolve("provider.p12"));
    Path script =
        Path.of(
            Objects.requireNonNull(SecureProvider.class.getResource("/gateway/provider.mjs"))
                .toURI());
    process =
        new ProcessBuilder(
                "node", script.toString(), certificate.store().toString(), Certificate.PASSWORD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader(StandardCharsets.UTF_8);
    in = process.outputWriter(StandardCharsets.UTF_8);
    port = saw().path("port").intValue();
  }

  String origin() {
    return "https://localhost:" + port;
  }

  /// Trusts this provider and no other.
  SSLContext trust() throws IOException, GeneralSecurityException {
    return certificate.context();
  }

  /// The next thing that it saw.
  JsonNode saw() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the provider has ended");
    }
    return JsonFormat.JSON.readTree(line);
  }

  /// Lets it go on with the answer that waits longest.
  void goOn() throws IOException {
    in.write("go on\n");
    in.flush();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
