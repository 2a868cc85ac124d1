package dev.runyard.system.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.system.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Stands for a task of a local stack: runs the image in a container with the task's variables, and
/// ends with it.
final class ContainerTask {
  /// The folder of one container: its volumes, its configuration and the state of runc.
  static final String FOLDER = "runyard.container";

  static final String ROOTFS = "runyard.container.rootfs";

  /// Users that stacks of this machine take first. In the container they belong to somebody else,
  /// so that nobody takes the container's processes for those of such a stack.
  private static final int USERS_KEPT = AgentUser.USERS_MAX / 2;

  private static final int END_SECONDS_MAX = 60;

  private final Path folder;
  private final String id;

  private ContainerTask(Path folder, long pid) {
    this.folder = folder;
    this.id = "task-" + pid;
  }

  /// Arguments there are none: what differs between containers is in properties.
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(System.getProperty(FOLDER));
    ContainerTask task = new ContainerTask(folder, ProcessHandle.current().pid());
    Path bundle = task.bundle(Path.of(System.getProperty(ROOTFS)));
    Process container =
        new ProcessBuilder(task.runc("run", "--bundle", bundle.toString(), task.id))
            .inheritIO()
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> task.end(container)));
    var _ =
        ProcessHandle.current()
            .parent()
            .orElseThrow()
            .onExit()
            .thenRun(() -> System.exit(1)); // the stack has been killed
    System.exit(container.waitFor());
  }

  private Path bundle(Path rootfs) throws IOException {
    Path bundle = Files.createDirectories(folder.resolve(id));
    String passwd = Files.readString(rootfs.resolve("etc/passwd"));
    for (int uid = AgentUser.UID_FIRST; uid < AgentUser.UID_FIRST + USERS_KEPT; uid++) {
      passwd = passwd.replace("runyard-" + uid + ":", "other-" + uid + ":");
    }
    Path users = Files.writeString(bundle.resolve("passwd"), passwd);
    JsonNode image = Api.JSON.readTree(Path.of(rootfs + ".json").toFile());
    Container container = new Container(rootfs, image.at("/OCIv1/config"), variables());
    container
        .with("work", volume(bundle, "work", "rwx--x--x"), true)
        .with("home/runner", volume(bundle, "home", "rwx--x--x"), true)
        .with("tmp", volume(bundle, "tmp", "rwxrwxrwx"), true)
        .with("mnt", folder.resolve("programs"), false)
        .with("etc/passwd", users, false);
    Files.writeString(bundle.resolve("config.json"), container.json());
    return bundle;
  }

  private static Path volume(Path bundle, String name, String mode) throws IOException {
    Path volume = Files.createDirectories(bundle.resolve(name));
    return Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString(mode));
  }

  /// The task's own variables: neither those that it inherits here, nor the stack's process, which
  /// does not exist in there.
  private static Map<String, String> variables() {
    Map<String, String> own =
        System.getenv().entrySet().stream()
            .filter(variable -> variable.getKey().matches("(AWS|RUNYARD)_.*|.*_CANARY|MODEL_KEY"))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, Map.Entry::getValue, (one, _) -> one, TreeMap::new));
    own.keySet().removeAll(List.of("RUNYARD_PARENT_PID", "RUNYARD_LOGINS"));
    own.put("RUNYARD_WORK_DIR", "/work");
    own.put("MODEL_KEY", ImageStack.MODEL_KEY);
    own.put("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", ImageStack.CREDENTIALS_PATH);
    return own;
  }

  private void end(Process container) {
    try {
      container.destroy();
      container.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
      new ProcessBuilder(runc("delete", "--force", id)).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("the container may be left over", e);
    }
  }

  private List<String> runc(String... arguments) {
    List<String> command = new java.util.ArrayList<>(List.of("runc", "--root"));
    command.add(folder.resolve("runc").toString());
    command.addAll(List.of(arguments));
    return command;
  }
}
