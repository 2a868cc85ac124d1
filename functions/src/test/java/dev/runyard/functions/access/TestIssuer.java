package dev.runyard.functions.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// An issuer on this machine, with keys that a test changes, and answers that it may spoil.
final class TestIssuer implements AutoCloseable {
  static final String AUDIENCE = "runyard";
  static final String TENANT = "shop";
  private static final int RSA_BITS = 2048;
  private static final Map<String, RSAKey> MADE = new HashMap<>();

  final AtomicInteger asked = new AtomicInteger();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<JWK> keys = new ArrayList<>();

  /// Answers in place of the key set.
  volatile Optional<Spoiled> spoiled = Optional.empty();

  /// What the issuer says of itself in place of the truth.
  volatile Optional<String> description = Optional.empty();

  interface Spoiled {
    void answer(HttpExchange exchange) throws IOException;
  }

  TestIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/.well-known/openid-configuration", this::describe);
    server.createContext("/keys", this::keys);
    server.start();
  }

  String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The issuer as a stack on one machine knows it; it describes itself.
  OidcIssuer known() {
    return new OidcIssuer(name(), AUDIENCE, Optional.empty(), "tenant", "scope", true);
  }

  /// A key of this name that no issuer shows. To make one takes long, so each is made once.
  static synchronized RSAKey unoffered(String id) throws JOSEException {
    RSAKey key = MADE.get(id);
    if (key == null) {
      key = new RSAKeyGenerator(RSA_BITS).keyID(id).generate();
      MADE.put(id, key);
    }
    return key;
  }

  RSAKey rsa(String id) throws JOSEException {
    RSAKey key = unoffered(id);
    offer(key);
    return key;
  }

  ECKey ec(String id) throws JOSEException {
    ECKey key = new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    offer(key);
    return key;
  }

  private synchronized void offer(JWK key) {
    keys.add(key.toPublicJWK());
  }

  synchronized void withdrawAll() {
    keys.clear();
  }

  /// Claims that are good at this time, and what a test makes of them.
  JWTClaimsSet claims(Instant now, Consumer<JWTClaimsSet.Builder> changes) {
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(name())
            .audience(AUDIENCE)
            .subject("alice")
            .expirationTime(Date.from(now.plusSeconds(300)))
            .claim("tenant", TENANT)
            .claim("scope", "openid runs:read runs:write");
    changes.accept(claims);
    return claims.build();
  }

  static String signed(RSAKey key, JWSAlgorithm algorithm, JWTClaimsSet claims)
      throws JOSEException {
    return signed(new RSASSASigner(key), algorithm, key.getKeyID(), claims);
  }

  static String signed(ECKey key, JWTClaimsSet claims) throws JOSEException {
    return signed(new ECDSASigner(key), JWSAlgorithm.ES256, key.getKeyID(), claims);
  }

  static String signed(JWSSigner signer, JWSAlgorithm algorithm, String id, JWTClaimsSet claims)
      throws JOSEException {
    SignedJWT jwt = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), claims);
    jwt.sign(signer);
    return jwt.serialize();
  }

  private void describe(HttpExchange exchange) throws IOException {
    send(
        exchange,
        description.orElseGet(
            () -> "{\"issuer\":\"%1$s\",\"jwks_uri\":\"%1$s/keys\"}".formatted(name())));
  }

  private void keys(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    Optional<Spoiled> answer = spoiled;
    if (answer.isPresent()) {
      answer.get().answer(exchange);
    } else {
      send(exchange, set());
    }
  }

  private synchronized String set() {
    return new JWKSet(List.copyOf(keys)).toString();
  }

  static void send(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  URI keysAddress() {
    return URI.create(name() + "/keys");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
