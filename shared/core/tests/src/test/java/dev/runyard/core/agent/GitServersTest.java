package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.request.GitAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GitServersTest {
  private static final String KEYS =
      "{'git_hosts':['a.example'],'git_host_keys':['a.example ssh-ed25519 AAAA',"
          + "'a.example ecdsa-sha2-nistp256 BBBB=','[a.example]:2222 ssh-rsa CCCC']}";

  @Test
  void findsTheKeysOfOneServerAtOnePort() throws Exception {
    GitServers servers = read(KEYS);

    assertEquals(2, servers.keysOf(address("ssh://git@a.example/x")).size());
    assertEquals(2, servers.keysOf(address("ssh://git@a.example:22/x")).size());
    assertEquals(
        List.of("[a.example]:2222 ssh-rsa CCCC"),
        servers.keysOf(address("ssh://git@a.example:2222/x")));
    assertEquals(List.of(), servers.keysOf(address("git@b.a.example:x")));
  }

  @Test
  void allowsAnyServerWhereNoneIsListedAndListsNone() {
    assertTrue(GitServers.ANY.allow(address("https://a.example/x")));
    assertFalse(GitServers.ANY.list(address("https://a.example/x")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*.example ssh-ed25519 AAAA",
        "|1|aaaa|bbbb ssh-ed25519 AAAA",
        "@cert-authority a.example ssh-ed25519 AAAA",
        "a.example,b.example ssh-ed25519 AAAA",
        "a.example ssh-ed25519 AAAA comment",
        "a.example ssh-dss AAAA",
        "a.example",
        ""
      })
  void takesNoPatternHashOrMarkerInPlaceOfAServer(String key) {
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class, () -> read("{'git_host_keys':['" + key + "']}"));

    assertTrue(String.valueOf(wrong.getMessage()).contains("/git_host_keys/0"));
  }

  private static GitAddress address(String url) {
    return GitAddress.read(url).orElseThrow();
  }

  private static GitServers read(String agent) throws JsonProcessingException {
    return GitServers.read(JsonFormat.JSON.readTree(agent.replace('\'', '"')), "/agents/pi");
  }
}
