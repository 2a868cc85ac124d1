package dev.runyard.testkit.certificate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate of one name, which signs itself, with its key.
///
/// @param store the file that it is in, as PKCS 12 with [#PASSWORD]
public record Certificate(Path store) {
  public static final String PASSWORD = "change-it";

  private static final String STORE_TYPE = "PKCS12";

  /// Makes one.
  ///
  /// @param store a file that is not there yet
  public static Certificate of(String name, Path store) throws IOException, InterruptedException {
    Path keytool = Path.of(System.getProperty("java.home", ""), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                List.of(
                    keytool.toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=dns:" + name,
                    "-storetype",
                    STORE_TYPE,
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
    return new Certificate(store);
  }

  /// For a server that shows it, and for clients that trust it and no other.
  public SSLContext context() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(STORE_TYPE);
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
