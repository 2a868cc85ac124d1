package dev.runyard.runner.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A model provider that speaks HTTP/2 with a certificate of its own: a process of Node.js.
final class SecureProvider implements AutoCloseable {
  private static final String PASSWORD = "change-it";

  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final Path store;
  private final int port;

  /// @param folder an empty one
  SecureProvider(Path folder) throws IOException, InterruptedException, URISyntaxException {
    store = folder.resolve("provider.p12");
    certify();
    Path script =
        Path.of(
            Objects.requireNonNull(SecureProvider.class.getResource("/gateway/provider.mjs"))
                .toURI());
    process =
        new ProcessBuilder("node", script.toString(), store.toString(), PASSWORD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader(StandardCharsets.UTF_8);
    in = process.outputWriter(StandardCharsets.UTF_8);
    port = saw().path("port").intValue();
  }

  private void certify() throws IOException, InterruptedException {
    Path keytool = Path.of(System.getProperty("java.home", ""), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                List.of(
                    keytool.toString(),
                    "-genkeypair",
                    "-alias",
                    "provider",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=dns:localhost",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (made.waitFor() != 0) {
      throw new IOException("keytool makes no certificate");
    }
  }

  String origin() {
    return "https://localhost:" + port;
  }

  /// Trusts this provider and no other.
  SSLContext trust() throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      own.load(file, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("provider", own.getCertificate("provider"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
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
