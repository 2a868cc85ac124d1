package dev.runyard.functions.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The keys of an issuer as they are used: asked for again after a while and for a key that is not
/// among them, but seldom, whatever tokens name; and used for longer where the issuer does not
/// answer. Who has a key that is known waits for nobody else's answer.
final class KeptIssuerKeys implements JWKSource<SecurityContext> {
  /// How long keys are used without asking for them.
  static final Duration KEPT = Duration.ofMinutes(5);

  /// How long they are used while the issuer does not answer.
  static final Duration KEPT_IN_OUTAGE = Duration.ofHours(4);

  /// They are asked for at most twice in this time.
  static final Duration ASKED_TWICE_IN = Duration.ofSeconds(30);

  private final Source source;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile Known known = new Known(new JWKSet(), Instant.MIN);
  private Instant asked = Instant.MIN;
  private Instant askedBefore = Instant.MIN;
  private boolean answered;

  /// Where they come from.
  @FunctionalInterface
  interface Source {
    JWKSet read() throws KeySourceException;
  }

  KeptIssuerKeys(Source source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  private record Known(JWKSet keys, Instant at) {
    boolean isYoungerThan(Duration age, Instant now) {
      return now.isBefore(at.plus(age));
    }
  }

  /// The keys that may have signed a token; none if the issuer has no such key.
  ///
  /// @throws KeySourceException if nobody can say, because the issuer does not answer
  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    Instant now = clock.instant();
    List<JWK> found = selector.select(usual(now).keys());
    return found.isEmpty() ? selector.select(asAfresh(now).keys()) : found;
  }

  private Known usual(Instant now) throws KeySourceException {
    Known here = known;
    if (here.isYoungerThan(KEPT, now)) {
      return here;
    }
    boolean usable = here.isYoungerThan(KEPT_IN_OUTAGE, now);
    if (usable && !asking.tryLock()) {
      return here;
    }
    if (!usable) {
      asking.lock();
    }
    try {
      return newerThan(here, now);
    } catch (KeySourceException e) {
      if (usable) {
        return here;
      }
      throw e;
    } finally {
      asking.unlock();
    }
  }

  private Known asAfresh(Instant now) throws KeySourceException {
    Known before = known;
    asking.lock();
    try {
      return newerThan(before, now);
    } finally {
      asking.unlock();
    }
  }

  /// What another thread has got meanwhile, or what the issuer says now.
  private Known newerThan(Known before, Instant now) throws KeySourceException {
    Known meanwhile = known;
    return meanwhile.at().equals(before.at()) ? ask(now) : meanwhile;
  }

  /// Asks the issuer, or says again what it said if it was asked twice lately.
  private Known ask(Instant now) throws KeySourceException {
    if (now.isBefore(askedBefore.plus(ASKED_TWICE_IN))) {
      if (answered) {
        return known;
      }
      throw new KeySourceException("the issuer did not answer lately");
    }
    askedBefore = asked;
    asked = now;
    answered = false;
    Known fresh = new Known(source.read(), now);
    answered = true;
    known = fresh;
    return fresh;
  }
}
