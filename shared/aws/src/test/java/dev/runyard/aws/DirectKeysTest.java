package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.access.KeyOrder;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.access.Scope;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DirectKeysTest {
  private final Emulators emulators;

  DirectKeysTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Test
  void makesAFirstKeyOfAnyTenantThatFunctionsFind() {
    ManageKeys keys = DirectKeys.of(emulators.dynamo(), TestTables.VIEWS);
    KeyOrder order =
        new KeyOrder(
            Optional.of("first"),
            Optional.of("direct"),
            Set.of(Scope.KEYS_MANAGE),
            OptionalLong.empty());

    ManageKeys.Result.Made made =
        assertInstanceOf(ManageKeys.Result.Made.class, keys.make(DirectKeys.MAKER, order));

    assertEquals("direct", made.key().tenant());
    assertEquals("deployer", made.key().madeBy());
    assertEquals(
        Optional.of(made.key()),
        new DynamoKeys(emulators.dynamo(), TestTables.VIEWS).find(made.text().hash()));
  }
}
