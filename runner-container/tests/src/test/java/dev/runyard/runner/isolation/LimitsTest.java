package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.files.Removal;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LimitsTest {
  private static final String DEEP =
      "perl -e 'for (1..6000) { mkdir \"d\" or die; chdir \"d\" or die }'; echo made >&2; ";

  @TempDir Path folder;

  @Test
  void areTheOperatorsOrElseTheDefaults() {
    AttemptLimits limits = AttemptLimits.of("{\"processes\":7,\"memory_mib\":3}", 1L << 30);
    assertEquals(7, limits.processes());
    assertEquals(3L << 20, limits.memoryBytes());
    assertEquals((long) AttemptLimits.DISK_MIB_DEFAULT << 20, limits.diskBytes());
    assertEquals(1L << 29, AttemptLimits.of("", 1L << 30).memoryBytes());
  }

  @Test
  void areRefusedWhenTheySayNothingOrSomethingElse() {
    for (String wrong :
        List.of("[]", "{", "{\"cpu\":1}", "{\"processes\":0}", "{\"disk_mib\":\"9\"}")) {
      assertThrows(IllegalStateException.class, () -> AttemptLimits.of(wrong, 1), wrong);
    }
  }

  @Test
  void countWhatIsInFoldersAndFollowNoLink() throws IOException {
    Files.writeString(folder.resolve("a"), "12345");
    Files.createSymbolicLink(folder.resolve("b"), Path.of("/usr"));
    DiskUse use = DiskUse.of(List.of(folder, folder.resolve("none")), DiskBounds.of(100, 100));
    assertEquals(new DiskUse(5, 3), use);
    assertTrue(DiskUse.of(List.of(folder), DiskBounds.of(4, 100)).bytes() > 4);
    assertTrue(DiskUse.of(List.of(folder), DiskBounds.of(100, 1)).entries() > 1);
  }

  /// A file system keeps room for a file behind its end, where no size tells of it.
  @Test
  void countRoomBehindTheEndOfAFileWhateverItsNameIs() throws IOException, InterruptedException {
    for (String name : List.of("plain", "gr\\0303\\0251en 100%", "no\\0377text")) {
      Path within = Files.createDirectory(folder.resolve("in"));
      Process keeps =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "name=$(printf '%b' \"$0\") && : >\"$name\" && fallocate -n -l 8M \"$name\"",
                  name)
              .directory(within.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(keeps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, keeps.waitFor(), said);
      DiskUse use = DiskUse.of(List.of(within), DiskBounds.of(1L << 30, 100));
      assertTrue(use.bytes() >= 8 << 20, () -> name + " " + use);
      assertEquals(List.of(), Removal.of(within));
    }
  }

  @Test
  void countAHoleAsWhatMayBeFilled() throws IOException {
    try (SeekableByteChannel sparse =
        Files.newByteChannel(
            folder.resolve("sparse"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      sparse.position(999_999).write(ByteBuffer.wrap(new byte[] {1}));
    }
    assertEquals(1_000_000, DiskUse.of(List.of(folder), DiskBounds.of(1L << 30, 100)).bytes());
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptThatKeepsMoreRoomThanItMayHave() throws IOException {
    AttemptLimits limits = AttemptLimits.of("{\"disk_mib\": 16}", 8L << 30);
    try (CellRig rig = new CellRig(folder, IsolationLevel.UID, limits)) {
      AgentProcess agent = rig.attempt().shell(": >file; fallocate -n -l 64M file; read line");
      assertEquals("disk_limit_reached", CellRig.await(agent.limit()).code());
    }
  }

  /// An agent may nest folders until no path leads to them.
  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptWhoseFoldersAreTooDeepAndRemoveThem() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent = attempt.shell(DEEP + "read line");
      assertEquals("file_count_limit_reached", CellRig.await(agent.limit()).code());
      assertTrue(agent.kill().complete());
      CellRig.end(agent);
      assertTrue(attempt.cell().close(), "its user is free");
      assertEquals(0, Files.getAttribute(attempt.workspace().resolve("d"), "unix:uid"));
      assertEquals(List.of(), Removal.of(attempt.workspace()));
      assertFalse(Files.exists(attempt.workspace()));
    }
  }

  @Test
  void countDeepFoldersWithOneDescriptor() throws IOException {
    Path at = folder;
    for (int i = 0; i < 400; i++) {
      at = Files.createDirectory(at.resolve("d"));
    }
    long[] most = {0};
    Thread counts =
        Thread.ofPlatform().start(() -> DiskUse.of(List.of(folder), DiskBounds.of(1, 100_000)));
    while (counts.isAlive()) {
      most[0] = Math.max(most[0], openFolders());
    }
    assertTrue(most[0] < 100, () -> most[0] + " descriptors");
  }

  /// How many descriptors this process has of folders of this test; others run beside it.
  private long openFolders() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : open) {
        count += leadsTo(descriptor, folder) ? 1 : 0;
      }
    }
    return count;
  }

  private static boolean leadsTo(Path descriptor, Path folder) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void countTheThreadsOfEachProcess() {
    CountDownLatch over = new CountDownLatch(1);
    List<Thread> threads =
        IntStream.range(0, 50).mapToObj(_ -> Thread.ofPlatform().start(() -> await(over))).toList();
    Path self = Path.of("/proc", Long.toString(ProcessHandle.current().pid()));
    int uid = UserProcesses.owner(self);
    List<UserProcesses.Owned> own =
        UserProcesses.of(Set.of(uid)).getOrDefault(uid, List.of()).stream()
            .filter(process -> process.folder().equals(self))
            .toList();
    int taken = UserProcesses.taken(own, _ -> {}).threads();
    over.countDown();
    assertEquals(1, own.size());
    assertTrue(UserProcesses.threads(own) > threads.size(), own::toString);
    assertTrue(taken > threads.size());
  }

  private static void await(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptThatTakesTooMuchMemory() throws IOException {
    assertEquals(
        "memory_limit_reached",
        reached("{\"memory_mib\":64}", "head -c 300000000 /dev/zero | tail; read line"));
  }

  /// At once, whatever the runner does about the attempt and how long that takes.
  @Test
  @Needs(Outside.OWN_USERS)
  void killWhoReachesOne() throws IOException {
    try (CellRig rig =
        new CellRig(folder, IsolationLevel.UID, AttemptLimits.of("{\"processes\":8}", 8L << 30))) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent =
          attempt.shell("for i in 1 2 3 4 5 6 7 8; do sleep 777 & done; read line");
      assertEquals("process_limit_reached", CellRig.await(agent.limit()).code());
      CellRig.end(agent);
    }
  }

  /// An attempt that has all threads of the machine makes starts of the runner's fail with an
  /// error.
  @Test
  @Needs(Outside.OWN_USERS)
  void areWatchedWhateverALookThrows() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      AgentUser one = userOfMany(rig);
      AgentUser other = userOfMany(rig);
      LimitWatch watch = new LimitWatch(AttemptLimits.of("{\"processes\":1}", 8L << 30));
      CompletableFuture<Failure> told = new CompletableFuture<>();
      Cell.Watching failing =
          watch.begin(
              one,
              List.of(),
              _ -> {
                throw new OutOfMemoryError("no thread can be started");
              });
      Cell.Watching working = watch.begin(other, List.of(), told::complete);
      assertEquals("process_limit_reached", CellRig.await(told).code());
      failing.close();
      working.close();
    }
  }

  private static AgentUser userOfMany(CellRig rig) throws IOException {
    CellRig.Attempt attempt = rig.attempt();
    CellRig.line(attempt.shell("sleep 777 & sleep 777 & echo on; read line"));
    return new AgentUser(attempt.uid());
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptThatTakesTooMuchDisk() throws IOException {
    assertEquals(
        "disk_limit_reached",
        reached(
            "{\"disk_mib\":8,\"file_mib\":4}",
            "for i in 1 2 3; do head -c 4000000 /dev/zero > f$i; done; read line"));
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptThatTakesTooMuchDiskWhereAllMayWrite() throws IOException {
    for (String place : List.of("/tmp", "/var/tmp", "/dev/shm")) {
      assertEquals(
          "disk_limit_reached",
          reached(
              "{\"disk_mib\":8,\"file_mib\":4}",
              "mkdir -p %1$s/in; for i in 1 2 3; do head -c 4000000 /dev/zero > %1$s/in/f$i; done; read line"
                  .formatted(place + "/of-" + folder.getFileName())));
    }
  }

  /// Others may open folders, and be many.
  @Test
  @Needs(Outside.OWN_USERS)
  void countWhatAUserHasWhereAllMayWriteAndNothingOfOthers() throws IOException {
    AgentUser user = new AgentUser(AgentUser.UID_FIRST + 1);
    AgentUser other = new AgentUser(AgentUser.UID_FIRST + 2);
    Path place = Files.createDirectory(folder.resolve("place"));
    Path theirs = Files.createDirectory(place.resolve("theirs"));
    Files.writeString(theirs.resolve("large"), "1234567");
    Files.createSymbolicLink(theirs.resolve("link"), Files.createDirectory(folder.resolve("away")));
    other.own(theirs);
    user.own(Files.writeString(theirs.resolve("own"), "123"));
    user.own(Files.writeString(folder.resolve("away/own"), "12345"));
    user.own(Files.createDirectory(place.resolve("mine")));
    Path closed = Files.createDirectory(place.resolve("closed"));
    user.own(Files.writeString(closed.resolve("own"), "1234567890"));
    assertEquals(new DiskUse(103, 5), shared(user, place));

    Path deep = place.resolve("mine");
    for (int i = 0; i < SharedRemains.DEPTH_MAX; i++) {
      deep = Files.createDirectory(deep.resolve("d"));
    }
    user.own(place.resolve("mine"));
    assertTrue(shared(user, place).entries() > 1_000);
    assertEquals(100, shared(other, place).bytes() - "1234567".length());
  }

  private static DiskUse shared(AgentUser user, Path place) {
    SharedRemains places = new SharedRemains(List.of(place, place.resolve("none")));
    return SharedUse.add(new DiskUse(100, 3), user.uid(), places, DiskBounds.of(1_000, 1_000));
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAnAttemptThatMakesTooManyFiles() throws IOException {
    assertEquals(
        "file_count_limit_reached",
        reached(
            "{\"disk_entries\":10000}",
            "i=0; while [ $i -lt 100000 ]; do : > f$i; i=$((i + 1)); done; read line"));
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void endAProcessWhoseFileGrowsTooLarge() throws IOException {
    try (CellRig rig = new CellRig(folder, IsolationLevel.UID, limits("{\"file_mib\":1}"))) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent = attempt.shell("exec head -c 10000000000 /dev/zero > file");
      assertEquals(
          new Termination.Signalled(LimitReached.FILE_SIGNAL), CellRig.end(agent).termination());
      assertEquals(1L << 20, Files.size(attempt.workspace().resolve("file")));
    }
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void areHeldByTheKernelForEachProcess() throws IOException {
    try (CellRig rig = new CellRig(folder, IsolationLevel.UID, limits("{\"open_files\":99}"))) {
      AgentProcess agent =
          rig.attempt().shell("ulimit -n; ulimit -Hn; ulimit -n 100 2>/dev/null || echo refused");
      assertEquals("99", CellRig.line(agent));
      assertEquals("99", CellRig.line(agent));
      assertEquals("refused", CellRig.line(agent));
    }
  }

  /// A program of the machine that takes what a process had in memory gets it whatever the limit
  /// is, except for this one.
  @Test
  @Needs(Outside.OWN_USERS)
  void letNobodyHaveTheMemoryOfAProcessThatDied() throws IOException {
    try (CellRig rig = CellRig.users(folder)) {
      AgentProcess agent = rig.attempt().shell("grep 'Max core file size' /proc/self/limits");
      long most = Math.min(1, UserCommands.HardLimits.ofThisProcess().core());
      String line = CellRig.line(agent);
      assertTrue(line.matches("Max core file size +%1$d +%1$d +bytes *".formatted(most)), line);
    }
  }

  private String reached(String document, String script) throws IOException {
    try (CellRig rig = new CellRig(folder, IsolationLevel.UID, limits(document))) {
      CellRig.Attempt attempt = rig.attempt();
      AgentProcess agent = attempt.shell(script);
      Failure failure = CellRig.await(agent.limit());
      assertTrue(agent.kill().complete());
      assertFalse(UserProcesses.any(attempt.uid()));
      return failure.code();
    }
  }

  private static AttemptLimits limits(String document) {
    return AttemptLimits.of(document, 8L << 30);
  }
}
