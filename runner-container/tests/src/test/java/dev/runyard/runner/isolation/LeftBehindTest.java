package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.machine.ProcessStart;
import dev.runyard.runner.process.AgentProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an attempt leaves for the next one that has its user.
@Needs(Outside.OWN_USERS)
final class LeftBehindTest {
  private static final int UID = AgentUser.UID_FIRST + AgentUser.USERS_MAX - 2;

  /// Users of whom another stack on this machine may have processes meanwhile, and who are passed
  /// over.
  private static final int BUSY_MAX = 50;

  @TempDir Path folder;

  @Test
  void usersTakeTurns() throws IOException {
    UserClaims claims = claims(new SharedRemains(List.of()));
    List<Integer> given = new ArrayList<>();
    UserClaim slow = take(claims);
    UserClaim user = take(claims);
    while (!given.contains(user.uid())) {
      given.add(user.uid());
      // False for one that earlier attempts on this machine left something of.
      claims.giveBack(user);
      user = take(claims);
    }
    assertFalse(given.contains(slow.uid()));
    assertTrue(given.size() > AgentUser.USERS_MAX - 2 - BUSY_MAX, "only " + given.size());
    assertTrue(given.indexOf(user.uid()) <= BUSY_MAX, "not who had to wait for longest");
    assertTrue(claims.giveBack(slow));
    assertNotEquals(slow.uid(), take(claims).uid());
  }

  @Test
  void isRemovedFromThePlacesThatUsersShare() throws IOException {
    String name = folder.getFileName() + "-left";
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell(
              """
              umask 0
              for place in /tmp /var/tmp /dev/shm /dev/mqueue /run/lock; do
                echo secret > $place/%1$s
                mkdir -p $place/.%1$s/in && echo secret > $place/.%1$s/in/file
                ln -s /etc/passwd $place/.%1$s/link
              done 2>/dev/null
              chmod 0 /tmp/.%1$s/in
              echo left
              """
                  .formatted(name));
      assertEquals("left", CellRig.line(agent));
      CellRig.end(agent);
      assertTrue(attempt.cell().close());
    }
    for (Path place : SharedRemains.HERE.places()) {
      assertFalse(Files.exists(place.resolve(name), LinkOption.NOFOLLOW_LINKS), place::toString);
      assertFalse(Files.exists(place.resolve("." + name)), place::toString);
    }
    assertEquals(
        PosixFilePermissions.fromString("rwxrwxrwx"),
        Files.getPosixFilePermissions(Path.of("/tmp")));
    assertTrue(Files.exists(Path.of("/etc/passwd")));
  }

  @Test
  void isRemovedFromAFolderThatAnotherUserOpened() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    new AgentUser(UID).own(open);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path mine = Files.createFile(open.resolve("mine"));
    new AgentUser(UID + 1).own(mine);
    Path others = Files.createFile(open.resolve("others"));
    assertTrue(remove(UID + 1).nothingOf(UID + 1));
    assertFalse(Files.exists(mine));
    assertTrue(Files.exists(others));
  }

  @Test
  void isRemovedHoweverDeepItIs() throws IOException {
    Path deep = deep(folder, UID);
    assertTrue(remove(UID).nothingOf(UID));
    assertFalse(Files.exists(deep));
  }

  /// What is too deep in somebody else's folder goes with that, and ends nobody's run.
  @Test
  void isWaitedForWhereItMayBeTooDeepInSomebodyElsesFolder() throws IOException {
    UserClaims claims = claims(places());
    UserClaim hiding = take(claims);
    UserClaim other = take(claims);
    Path deep = deep(place(), hiding.uid());
    Path hidden = Files.createFile(deepest(deep).resolve("hidden"));
    new AgentUser(other.uid()).own(hidden);
    assertTrue(claims.giveBack(other), "its attempt has ended");
    assertTrue(isTaken(other));
    take(claims);
    assertTrue(isTaken(other), "while it may be hidden");
    assertTrue(claims.giveBack(hiding));
    assertFalse(Files.exists(deep));
    take(claims);
    assertFalse(isTaken(other));
  }

  @Test
  void isLookedForInNoFolderThatAnotherUserHasBeenGivenMeanwhile() throws IOException {
    UserClaims claims = claims(places());
    Path workspace = Files.createDirectory(folder.resolve("workspace"));
    UserClaim hiding = take(claims);
    UserClaim setup = claims.take("stack", "mark", List.of(workspace));
    deep(place(), hiding.uid());
    assertTrue(claims.giveBack(setup), "its attempt has ended");
    assertTrue(isTaken(setup));
    UserClaim agent = claims.take("stack", "mark", List.of(workspace));
    Path made = Files.createFile(workspace.resolve("made"));
    new AgentUser(agent.uid()).own(workspace);
    assertTrue(claims.giveBack(hiding));
    take(claims);
    assertFalse(isTaken(setup));
    assertEquals(agent.uid(), Files.getAttribute(workspace, "unix:uid"));
    assertEquals(agent.uid(), Files.getAttribute(made, "unix:uid"));
    assertTrue(claims.giveBack(setup), "once more");
    assertTrue(claims.giveBack(agent));
  }

  @Test
  void isWaitedForWhereSomebodyElseHasTooMuchToSearch() throws IOException {
    UserClaims claims = claims(places());
    UserClaim many = take(claims);
    UserClaim other = take(claims);
    Path wide = Files.createDirectory(place().resolve("wide"));
    for (int i = 0; i < SharedRemains.ENTRIES_MAX; i++) {
      Files.createDirectory(wide.resolve("d" + i));
    }
    new AgentUser(many.uid()).own(wide);
    Path mine = Files.createFile(place().resolve("mine"));
    new AgentUser(other.uid()).own(mine);
    assertTrue(claims.giveBack(other));
    assertFalse(Files.exists(mine), "what is beside it is found");
    assertTrue(isTaken(other));
    assertTrue(claims.giveBack(many));
    take(claims);
    assertFalse(isTaken(other));
  }

  /// Otherwise nobody could start any more.
  @Test
  void endsWhoKeepsTooManyUsersFromBeingGivenBack() throws IOException {
    UserClaims claims = claims(places());
    UserClaim hiding = take(claims);
    deep(place(), hiding.uid());
    Process alive =
        new ProcessBuilder("setpriv", "--reuid=" + hiding.uid(), "--clear-groups", "sleep", "777")
            .start();
    Signals.until(() -> UserProcesses.any(hiding.uid()));
    for (int i = 0; i < UserReturns.WAITING_MAX; i++) {
      assertTrue(claims.giveBack(take(claims)));
    }
    assertTrue(UserProcesses.any(hiding.uid()));
    assertTrue(claims.giveBack(take(claims)));
    take(claims);
    assertEquals(128 + 9, CellRig.await(alive.onExit()).exitValue());
    assertTrue(claims.giveBack(hiding));
    take(claims);
    try (Stream<Path> files = Files.list(folder.resolve("claims"))) {
      assertEquals(
          2, files.filter(file -> file.getFileName().toString().matches("[0-9]+")).count());
    }
  }

  @Test
  void isRemovedAfterAStartThatKnowsOfNoClaim() throws IOException {
    Path place = Files.createDirectory(folder.resolve("place"));
    Path left = Files.createFile(place.resolve("left"));
    new AgentUser(UID).own(left);
    Path runners = Files.createFile(place.resolve("runners"));
    claims(new SharedRemains(List.of(place))).sweep();
    assertFalse(Files.exists(left));
    assertTrue(Files.exists(runners));
  }

  @Test
  void isRemovedThoughARunnerDiedWhileItRemovedIt() throws IOException {
    Path place = Files.createDirectory(folder.resolve("place"));
    Path begun = Files.createDirectories(place.resolve("runyard-removed17/0"));
    Files.createDirectory(begun.resolve("in"));
    Path others = Files.createDirectory(place.resolve("runyard-removed-of-another"));
    String name = "runyard-removed-%s-1".formatted(ProcessStart.self().text());
    Path live = Files.createDirectory(place.resolve(name));
    new AgentUser(UID).own(begun);
    Files.createFile(others.resolve("file"));
    Files.setAttribute(others, "unix:uid", 1);
    claims(new SharedRemains(List.of(place))).sweep();
    assertFalse(Files.exists(place.resolve("runyard-removed17")));
    assertTrue(Files.exists(live), "somebody is at it");
    assertTrue(Files.exists(others));
  }

  @Test
  void areNoObjectsOfTheKernel() throws IOException {
    int uid;
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell(
              """
              ipcmk -M 4096 >/dev/null; ipcmk -S 1 >/dev/null; ipcmk -Q >/dev/null
              perl -e 'my ($t, $d, $p) = ("user", "x", "secret"); syscall(248, $t, $d, $p, 6, -4)'
              echo left
              """);
      assertEquals("left", CellRig.line(agent));
      uid = attempt.uid();
      CellRig.end(agent);
      assertNotEquals(List.of(), objects(uid));
      assertTrue(attempt.cell().close());
    }
    assertEquals(List.of(), objects(uid));
    assertEquals("no key", keyOf(uid, "-4"));
  }

  @Test
  void areNoKeysThatTheKernelKeepsForDays() throws IOException {
    int uid = leftKeys("my $ring = syscall(250, 22, -1, -2);", "$ring");
    assertEquals("no key", keyOf(uid, "syscall(250, 22, -1, -2)"));
  }

  /// A user may take from itself every right to its keyring but that to read it.
  @Test
  void areNoKeysThatTheirUserMayNoLongerChange() throws IOException {
    int uid = leftKeys("my $ring = -4; syscall(250, 0, -4, 1);", "-4, 0x1b1b0000");
    assertEquals("no key", keyOf(uid, "-4"));
  }

  /// Without the right to search, only who knows a keyring's number finds it.
  @Test
  void areKeysOfAUserThatIsNotGivenAgain() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      keys(attempt, "my $ring = syscall(250, 0, -4, 1);", "$ring, 0x23230000");
      String ring =
          as(
              attempt.uid(),
              "open my $keys, '<', '/proc/keys';"
                  + " while (<$keys>) { print hex((split)[0]) if / 23230000 / }");
      assertFalse(attempt.cell().close());
      as(attempt.uid(), "syscall(250, 5, %s, 0x3f3f0000)".formatted(ring));
      assertTrue(attempt.cell().close());
    }
  }

  /// Lets an attempt leave a key; returns who its user was.
  private int leftKeys(String ring, String permissions) throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      keys(attempt, ring, permissions);
      int uid = attempt.uid();
      assertTrue(attempt.cell().close());
      return uid;
    }
  }

  private static void keys(CellRig.Attempt attempt, String ring, String permissions)
      throws IOException {
    AgentProcess agent =
        attempt.shell(
            """
            perl -e 'my ($t, $d, $p) = ("user", "x", "secret"); %s
              print syscall(248, $t, $d, $p, 6, $ring) < 0 ? "refused\n" : "left\n";
              syscall(250, 5, %s)'
            """
                .formatted(ring, permissions));
    assertEquals("left", CellRig.line(agent));
    CellRig.end(agent);
  }

  @Test
  void areNoQueuesThatNoFolderShows() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      AgentProcess agent =
          rig.attempt()
              .shell(
                  """
                  perl -e 'my $name = "left"; my $queue = syscall(240, $name, 0x42, 0600, 0);
                    syscall(241, $name); print $queue < 0 ? "refused\\n" : "made\\n"'
                  """);
      assertEquals("refused", CellRig.line(agent));
    }
  }

  /// The lines of the kernel's tables that name a user.
  private static List<String> objects(int uid) throws IOException {
    List<String> found = new ArrayList<>();
    for (String table : List.of("shm", "sem", "msg")) {
      try (Stream<String> lines = Files.lines(Path.of("/proc/sysvipc", table))) {
        lines.filter(line -> line.matches(".*\\b" + uid + "\\b.*")).forEach(found::add);
      }
    }
    return found;
  }

  /// Looks for a key as whoever is that user next.
  private static String keyOf(int uid, String ring) throws IOException {
    return as(
        uid,
        "my ($t, $d) = ('user', 'x'); my $ring = %s;".formatted(ring)
            + " print syscall(250, 10, $ring, $t, $d, 0) < 0 ? 'no key' : 'key';");
  }

  private static String as(int uid, String script) throws IOException {
    Process next =
        new ProcessBuilder("setpriv", "--reuid=" + uid, "--clear-groups", "perl", "-e", script)
            .start();
    return new String(
        next.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
  }

  private SharedRemains.Found remove(int uid) throws IOException {
    return new SharedRemains(List.of(folder)).remove(Set.of(uid), SharedRemains.ENTRIES_MAX);
  }

  private Path place() {
    return folder.resolve("place");
  }

  private SharedRemains places() throws IOException {
    return new SharedRemains(List.of(Files.createDirectory(place())));
  }

  /// Folders of a user that are one more than is searched.
  private static Path deep(Path in, int uid) throws IOException {
    Path top = Files.createDirectory(in.resolve("deep"));
    Files.createDirectories(deepest(top));
    new AgentUser(uid).own(top);
    return top;
  }

  private static Path deepest(Path top) {
    Path at = top;
    for (int i = 0; i < SharedRemains.DEPTH_MAX; i++) {
      at = at.resolve("d");
    }
    return at;
  }

  private boolean isTaken(UserClaim claim) {
    return Files.exists(folder.resolve("claims").resolve(Integer.toString(claim.uid())));
  }

  private UserClaims claims(SharedRemains shared) throws IOException {
    return new UserClaims(Files.createDirectories(folder.resolve("claims")), _ -> false, shared);
  }

  private static UserClaim take(UserClaims claims) throws IOException {
    return claims.take("stack", "mark", List.of());
  }
}
