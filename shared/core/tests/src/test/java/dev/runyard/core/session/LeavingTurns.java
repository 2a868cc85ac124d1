package dev.runyard.core.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.LeftWorkspace;
import dev.runyard.core.artifact.LeftWorkspaces;
import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.thread.ThreadOrigin;
import java.io.IOException;

/// Turns of the thread that have ended, and what they left.
final class LeavingTurns {
  /// What the memory and files of the thread are kept under.
  private static final String MEMORY = "_t-1";

  final MemoryArtifactStore store = new MemoryArtifactStore();
  private final ThreadRig rig;
  private final SessionSnapshots sessions = new SessionSnapshots(store, Runnable::run);

  LeavingTurns(ThreadRig rig) {
    this.rig = rig;
  }

  /// A turn that leaves nothing.
  RunKey ended(String turn) {
    RunKey run = rig.submitted(turn);
    rig.end(run);
    return run;
  }

  /// A turn of whose agent the memory is kept.
  RunKey kept(String turn) {
    return kept(turn, "echo");
  }

  RunKey kept(String turn, String agent) {
    return left(turn, agent, new Words());
  }

  /// A turn whose agent's memory could not be kept.
  RunKey lost(String turn) {
    return left(turn, "echo", new TooMuch());
  }

  private RunKey left(String turn, String agent, SessionSnapshots.Memory memory) {
    RunKey run = rig.submitted(turn, agent);
    var place = new SessionSnapshots.Place(run, "attempt-" + turn, agent, MEMORY);
    ThreadOrigin base = rig.cases.threadBase(ThreadRig.THREAD.thread());
    var restored = sessions.without(base::isUndone).restore(place, null, false, new Words());
    SavedState began =
        restored instanceof SessionSnapshots.Restored.Session session ? session.began(run) : null;
    var _ = sessions.settle(sessions.draft(place, "native", began, memory), true);
    rig.end(run);
    return run;
  }

  /// Other turns that ended as the run did, of which there is only what lists show.
  void listed(RunKey run, int others) {
    String row = SnapshotCodec.encode(rig.state(run));
    for (int i = 0; i < others; i++) {
      String other = rig.ids.runId(rig.clock.instant());
      rig.ports.models().save(SnapshotCodec.decode(row.replace(run.runId(), other)));
    }
  }

  /// The run had files, which could be kept or not.
  void leave(RunKey run, boolean kept) {
    LeftWorkspaces files = new LeftWorkspaces(store);
    var left = new LeftWorkspace(run.runId(), 1, "attempt-1", MEMORY, kept, 0, null, null);
    assertTrue(files.settle(run, left, files.last(run.tenant(), MEMORY)));
  }

  /// What an agent remembers.
  private static class Words implements SessionSnapshots.Memory {
    @Override
    public byte[] pack(int bytesMax) throws IOException {
      return new byte[] {'w'};
    }

    @Override
    public void unpack(byte[] archive) {}
  }

  private static final class TooMuch extends Words {
    @Override
    public byte[] pack(int bytesMax) throws IOException {
      throw new IOException("more than " + bytesMax);
    }
  }
}
