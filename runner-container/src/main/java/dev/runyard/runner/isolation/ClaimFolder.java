package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// The files of claims. Everything but [#locked] is for who has their lock, which every attempt of
/// the machine waits for when it starts or ends: nothing that an agent can make long is done with
/// it.
final class ClaimFolder {
  private static final String LOCK = "lock";

  /// A process has a file's lock once, whichever of its threads took it.
  private static final ReentrantLock ONE_OF_US = new ReentrantLock();

  private final Path folder;
  private final Turns turns;

  ClaimFolder(Path folder) {
    this.folder = folder;
    this.turns = new Turns(folder);
  }

  /// Work that only one thread of one process does at a time.
  @FunctionalInterface
  interface Work<T> {
    T done() throws IOException;
  }

  <T> T locked(Work<T> work) throws IOException {
    ONE_OF_US.lock();
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      return work.done();
    } finally {
      ONE_OF_US.unlock();
    }
  }

  /// All claims, by user.
  List<UserClaim> all() throws IOException {
    List<UserClaim> all = new ArrayList<>();
    for (Path file : files()) {
      all.add(UserClaim.read(file));
    }
    return all;
  }

  /// Whether a claim is the one that its user has, with its folders or without.
  boolean has(UserClaim claim) throws IOException {
    Path file = file(claim.uid());
    return Files.exists(file) && UserClaim.read(file).emptied().equals(claim.emptied());
  }

  void write(UserClaim claim) throws IOException {
    Path draft = folder.resolve("draft");
    Files.writeString(draft, claim.text());
    try {
      Files.move(draft, file(claim.uid()), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("the folder of claims cannot be used", e);
    }
  }

  /// From now on the user can be taken, after all others.
  void remove(UserClaim claim) throws IOException {
    turns.last(claim.uid());
    Files.deleteIfExists(file(claim.uid()));
  }

  /// All users, in the order in which they are to be taken.
  List<Integer> turns() throws IOException {
    return turns.all();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Character.isDigit(String.valueOf(file.getFileName()).charAt(0)))
          .sorted()
          .toList();
    }
  }

  private Path file(int uid) {
    return folder.resolve(Integer.toString(uid));
  }
}
