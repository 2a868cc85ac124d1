package dev.runyard.functions.deliver;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// A certificate of one name, which signs itself, and who trusts it.
final class Certificate {
  private static final String PASSWORD = "change-it";

  private final SSLContext context;

  private Certificate(SSLContext context) {
    this.context = context;
  }

  /// @param store a file that is not there yet
  static Certificate of(String name, Path store)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path keytool = Path.of(System.getProperty("java.home", ""), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                List.of(
                    keytool.toString(),
                    "-genkeypair",
                    "-alias",
                    "receiver",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=dns:" + name,
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
    KeyStore keys = KeyStore.getInstance("PKCS12");
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
    return new Certificate(context);
  }

  /// What trusts this certificate alone.
  SSLSocketFactory client() {
    return context.getSocketFactory();
  }

  ServerSocket server() throws IOException {
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
  }
}
