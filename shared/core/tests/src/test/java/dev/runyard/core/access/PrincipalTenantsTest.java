package dev.runyard.core.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrincipalTenantsTest {
  private static final String ROLE = "arn:aws:sts::111122223333:assumed-role/";
  private final PrincipalTenants tenants =
      PrincipalTenants.parse(
          """
          {"principals": [
            {"arn": "%1$sshop-reader/*", "tenant": "shop", "scopes": ["runs:read"]},
            {"arn": "%1$sshop-?/*", "tenant": "shop"},
            {"arn": "arn:aws:iam::111122223333:user/(a|b)", "tenant": "odd"}]}
          """
              .formatted(ROLE));

  @Test
  void givesAPrincipalTheTenantOfTheFirstEntryThatMatches() {
    assertEquals(
        Optional.of(
            new Identity.Principal(ROLE + "shop-reader/me", "shop", Set.of(Scope.RUNS_READ))),
        tenants.of(ROLE + "shop-reader/me"));
    assertEquals(EnumSet.allOf(Scope.class), tenants.of(ROLE + "shop-1/me").orElseThrow().scopes());
  }

  @Test
  void knowsNobodyElse() {
    assertEquals(Optional.empty(), tenants.of(ROLE + "shop-12/me"));
    assertEquals(Optional.empty(), tenants.of("x" + ROLE + "shop-1/me"));
    assertEquals(Optional.empty(), tenants.of(ROLE + "other/me"));
  }

  @Test
  void takesEveryOtherCharacterForItself() {
    assertEquals("odd", tenants.of("arn:aws:iam::111122223333:user/(a|b)").orElseThrow().tenant());
    assertEquals(Optional.empty(), tenants.of("arn:aws:iam::111122223333:user/a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"principals\": {}}",
        "{\"principals\": [], \"more\": 1}",
        "{\"principals\": [1]}",
        "{\"principals\": [{\"tenant\": \"shop\"}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"Shop\"}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"uploads\"}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"shop\", \"scopes\": []}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"shop\", \"scopes\": [\"all\"]}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"shop\", \"scope\": [\"runs:read\"]}]}",
        "{\"principals\": [{\"arn\": \"*\", \"tenant\": \"a\", \"tenant\": \"b\"}]}"
      })
  void refusesABrokenDocument(String document) {
    assertThrows(IllegalArgumentException.class, () -> PrincipalTenants.parse(document));
  }
}
