package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A stack whose callers show keys and tokens, with real agents.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessIT {
  private static final int SECONDS = 3600;
  private RSAKey signing;
  private HttpServer issuer;
  private SystemStack stack;
  private Api operator;

  /// Until each function that is asked with tokens has the issuer's keys: for as long as this
  /// machine is too busy for the issuer here to answer in time, there is nothing to see.
  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    signing = new RSAKeyGenerator(2048).keyID("one").generate();
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.createContext(
        "/.well-known/openid-configuration",
        exchange ->
            send(exchange, "{\"issuer\":\"%1$s\",\"jwks_uri\":\"%1$s/keys\"}".formatted(name())));
    issuer.createContext(
        "/keys", exchange -> send(exchange, new JWKSet(signing.toPublicJWK()).toString()));
    issuer.start();
    stack =
        up(
            StackFolder.in(folder),
            "--access",
            "keys",
            "--set",
            "OidcIssuer=" + name(),
            "--set",
            "OidcAudience=runyard");
    operator = stack.api();
    try (Api user = holder(token("shop"))) {
      user.untilAvailable("/v1/runs");
      user.untilAvailable("/v1/runs/none/events");
    }
  }

  SystemStack up(StackFolder folder, String... options) throws IOException, InterruptedException {
    return SystemStack.start(folder, options);
  }

  @AfterAll
  void stop() {
    stack.close();
    issuer.stop(0);
  }

  @Test
  void runsWhatTheHolderOfAKeySubmitsAndShowsItToNobodyElse() throws Exception {
    try (Api shop = holder(made("shop", "runs:read", "runs:write"));
        Api other = holder(made("other", "runs:read", "runs:write"))) {
      String run = shop.run(Api.echo(3, 0, ""));

      assertEquals("completed", shop.ended(run).path("status").asText());
      JsonNode created = shop.all(run, 100).getFirst();
      assertTrue(created.path("actor").asText().startsWith("key:key_"), created::toString);
      for (String path : List.of("", "/events", "/actions", "/chunks", "/changes")) {
        assertEquals(404, other.get("/v1/runs/" + run + path).status(), path);
      }
      assertEquals(404, other.get("/runs/" + run).status());
      assertEquals(404, other.get("/runs/" + run + "/events").status());
      assertEquals(404, operator.get("/v1/runs/" + run).status());
      assertFalse(other.get("/v1/runs").json().toString().contains(run));
    }
  }

  @Test
  void letsNobodyDoWhatTheirKeyIsNotFor() throws Exception {
    try (Api reader = holder(made("shop", "runs:read"));
        Api stranger = holder(made("shop", "runs:read").path("key").asText() + "x")) {
      Api.Answer submitted = reader.post("/v1/runs", Api.echo(1, 0, ""));
      assertEquals(403, submitted.status());
      assertEquals("scope_missing", submitted.code());
      for (String path : List.of("/v1/runs", "/runs/x/events", "/v1/keys")) {
        Api.Answer refused = stranger.get(path);
        assertEquals(401, refused.status(), path);
        assertEquals("Bearer", refused.http().headers().firstValue("WWW-Authenticate").orElse(""));
      }
      assertEquals(200, stranger.get("/ping").status());
    }
  }

  @Test
  void opensNothingWithAKeyThatWasRevoked() throws Exception {
    JsonNode key = made("shop", "runs:read");
    Api.Answer revoked =
        operator.post("/v1/keys/" + key.path("id").asText() + "/revoke?tenant=shop", "");
    assertEquals(200, revoked.status());
    try (Api holder = holder(key)) {
      assertEquals(401, holder.get("/v1/runs").status());
    }
  }

  @Test
  void takesTokensOfItsIssuer() throws Exception {
    try (Api user = holder(token("shop"));
        Api forged = holder(token("shop") + "x")) {
      String run = user.run(Api.echo(1, 0, ""));

      assertEquals("completed", user.ended(run).path("status").asText());
      assertEquals("user:alice", user.all(run, 100).getFirst().path("actor").asText());
      assertEquals(401, forged.get("/v1/runs").status());
    }
  }

  private JsonNode made(String tenant, String... scopes) throws Exception {
    Api.Answer answer =
        operator.post(
            "/v1/keys",
            "{\"tenant\":\"%s\",\"scopes\":[\"%s\"]}"
                .formatted(tenant, String.join("\",\"", scopes)));
    assertEquals(201, answer.status(), answer.json()::toString);
    return answer.json();
  }

  private Api holder(JsonNode key) {
    return holder(key.path("key").asText());
  }

  private Api holder(String credential) {
    return stack.as(credential);
  }

  private String token(String tenant) throws JOSEException {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(),
            new JWTClaimsSet.Builder()
                .issuer(name())
                .audience("runyard")
                .subject("alice")
                .expirationTime(Date.from(Instant.now().plusSeconds(SECONDS)))
                .claim("tenant", tenant)
                .claim("scope", "openid runs:read runs:write")
                .build());
    jwt.sign(new RSASSASigner(signing));
    return jwt.serialize();
  }

  private String name() {
    return "http://127.0.0.1:" + issuer.getAddress().getPort();
  }

  private static void send(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
