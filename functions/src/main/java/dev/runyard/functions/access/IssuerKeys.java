package dev.runyard.functions.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import dev.runyard.core.json.JsonFormat;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The keys of an issuer, from the address that the operator or the issuer's own description names.
/// Each document is bounded in size, and in the time until all of it is there.
final class IssuerKeys {
  /// Longest time for one document.
  static final Duration DOCUMENT_PATIENCE = Duration.ofSeconds(3);

  static final int DOCUMENT_BYTES_MAX = 256 * 1024;
  private static final String DESCRIPTION = "/.well-known/openid-configuration";

  private final OidcIssuer issuer;
  private final Duration patience;
  private volatile @Nullable URI address;

  IssuerKeys(OidcIssuer issuer) {
    this(issuer, DOCUMENT_PATIENCE);
  }

  IssuerKeys(OidcIssuer issuer, Duration patience) {
    this.issuer = issuer;
    this.patience = patience;
    this.address = issuer.keys().orElse(null);
  }

  JWKSet read() throws KeySourceException {
    URI known = address;
    URI from = known == null ? described() : known;
    try {
      JWKSet keys = JWKSet.parse(document(from));
      address = from;
      return keys;
    } catch (ParseException e) {
      throw new KeySourceException("the issuer's keys are no key set", e);
    }
  }

  /// The address that the issuer's description names, which must be the description of this issuer.
  private URI described() throws KeySourceException {
    String base = issuer.name().replaceAll("/+$", "");
    try {
      JsonNode description = JsonFormat.JSON.readTree(document(URI.create(base + DESCRIPTION)));
      if (!issuer.name().equals(description.path("issuer").textValue())) {
        throw new KeySourceException("the description is of another issuer");
      }
      URI found = URI.create(description.path("jwks_uri").asText());
      OidcIssuer.requireSafe(found, issuer.plainHere());
      return found;
    } catch (JsonProcessingException | IllegalArgumentException | IllegalStateException e) {
      throw new KeySourceException("the issuer does not describe itself", e);
    }
  }

  private String document(URI from) throws KeySourceException {
    HttpRequest request =
        HttpRequest.newBuilder(from).timeout(patience).header("Accept", "application/json").build();
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    CompletableFuture<HttpResponse<byte[]>> coming =
        client.sendAsync(
            request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), DOCUMENT_BYTES_MAX));
    try {
      HttpResponse<byte[]> response = coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw new KeySourceException("the issuer answered " + response.statusCode());
      }
      return new String(response.body(), StandardCharsets.UTF_8);
    } catch (ExecutionException | TimeoutException e) {
      throw new KeySourceException("the issuer does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KeySourceException("interrupted while the issuer was asked", e);
    } finally {
      client.shutdownNow();
    }
  }
}
