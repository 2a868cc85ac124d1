package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.isolation.AttemptLimits;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.isolation.IsolationChoice;
import dev.runyard.runner.isolation.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workspaces of attempts that have users of their own.
@Needs(Outside.OWN_USERS)
final class WorkspaceUsersTest {
  @TempDir private Path folder;

  @Test
  void givesTheFilesToTheAgentsUserAndNothingOfTheRunners() throws Exception {
    Path work = work();
    RunnerRig runner = new RunnerRig(work);
    runner.isolated(isolation(work));
    try (WorkspaceRig rig = new WorkspaceRig(folder, work, runner)) {
      rig.repository.commit("a", "1");
      String steal = "ls -A %s/checkouts %s/homes 2>/dev/null; true";
      RunKey run =
          rig.submit(
              """
              id -u; echo 2 > a; git add a && git -c user.name=n -c user.email=e commit -qm b
              git rev-list --count HEAD; stat -c %%u a made .git/config | sort -u; cat pid
              grep -qs '^State:.[DRS]' /proc/$(cat pid)/status && echo alive
              %s
              """
                  .formatted(steal.formatted(work, work)),
              rig.setup(
                  60,
                  "id -u; echo m > made; (setsid sh -c 'echo $$ > pid; exec sleep 1000' > /dev/null"
                      + " 2>&1 &); until [ -s pid ]; do :; done",
                  steal.formatted(work, work)));

      rig.work();

      List<WorkspaceNotice.HookCompleted> hooks =
          rig.events(run, WorkspaceNotice.HookCompleted.class);
      List<String> said = rig.said(run).lines().toList();
      assertEquals(4, said.size(), said + " " + runner.events(run));
      assertTrue(Integer.parseInt(said.get(0)) >= 66_000, said.get(0));
      assertEquals("2", said.get(1));
      assertEquals(said.get(0), said.get(2));
      assertTrue(Integer.parseInt(hooks.getFirst().preview().strip()) >= 66_000);
      assertEquals("", hooks.get(1).preview());
      assertNotEquals("", said.get(3));
      assertEquals(
          List.of(), rig.left().stream().filter(left -> !left.startsWith("users")).toList());
    }
  }

  private Path work() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    return folder.toRealPath().resolve("work");
  }

  private static Isolation isolation(Path work) throws IOException {
    return Isolation.decide(
        new Isolation.Setting(
            new IsolationChoice(Optional.of(IsolationLevel.UID)),
            "stack",
            work,
            AttemptLimits.of("{}", 8L << 30),
            System.getenv("PATH"),
            List.of()));
  }
}
