package dev.runyard.system.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.system.Api;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The configuration of a container as Fargate starts the template's task: the usual capabilities
/// and no others, no namespaces of users and no way to make any, a root that cannot be written.
/// Only the network is this machine's, so that the emulators are reached.
final class Container {
  private static final int PROCESSES_MAX = 1_000;
  private static final long MEMORY_BYTES = 2_048L << 20;

  /// Whatever becomes of the test, the container is gone then, and all that is in it.
  private static final int LIFE_SECONDS_MAX = 3_600;

  private static final int EPERM = 1;
  private static final int ENOSYS = 38;

  private static final List<String> CAPABILITIES =
      List.of(
          "CAP_CHOWN",
          "CAP_DAC_OVERRIDE",
          "CAP_FSETID",
          "CAP_FOWNER",
          "CAP_MKNOD",
          "CAP_NET_RAW",
          "CAP_SETGID",
          "CAP_SETUID",
          "CAP_SETFCAP",
          "CAP_SETPCAP",
          "CAP_NET_BIND_SERVICE",
          "CAP_SYS_CHROOT",
          "CAP_KILL",
          "CAP_AUDIT_WRITE");

  /// What the usual filter of a container refuses to whoever is no administrator.
  private static final List<String> REFUSED =
      List.of(
          "acct",
          "add_key",
          "bpf",
          "clock_adjtime",
          "clock_settime",
          "delete_module",
          "fanotify_init",
          "finit_module",
          "fsconfig",
          "fsmount",
          "fsopen",
          "fspick",
          "get_mempolicy",
          "init_module",
          "io_uring_enter",
          "io_uring_register",
          "io_uring_setup",
          "ioperm",
          "iopl",
          "kcmp",
          "kexec_file_load",
          "kexec_load",
          "keyctl",
          "lookup_dcookie",
          "mbind",
          "mount",
          "mount_setattr",
          "move_mount",
          "move_pages",
          "name_to_handle_at",
          "open_by_handle_at",
          "open_tree",
          "perf_event_open",
          "pivot_root",
          "quotactl",
          "reboot",
          "request_key",
          "set_mempolicy",
          "setns",
          "settimeofday",
          "swapoff",
          "swapon",
          "syslog",
          "umount2",
          "unshare",
          "userfaultfd",
          "vhangup");

  /// The flags of `clone` that make namespaces.
  private static final List<Long> NAMESPACES =
      List.of(
          0x0002_0000L,
          0x0200_0000L,
          0x0400_0000L,
          0x0800_0000L,
          0x1000_0000L,
          0x2000_0000L,
          0x4000_0000L);

  /// Reaps what agents leave behind, as the task's init does, and passes on the request to end.
  private static final String INIT =
      "timeout --kill-after=5 "
          + LIFE_SECONDS_MAX
          + " \"$@\" & runner=$!; trap 'kill -TERM $runner' TERM; wait $runner;"
          + " status=$?; while kill -0 $runner 2>/dev/null; do wait $runner; status=$?; done; exit"
          + " $status";

  private final ObjectNode config = Api.JSON.createObjectNode();
  private final ArrayNode mounts = config.putArray("mounts");

  /// @param image its own configuration
  Container(Path rootfs, JsonNode image, Map<String, String> environment) {
    config.put("ociVersion", "1.0.2");
    config.putObject("root").put("path", rootfs.toString()).put("readonly", true);
    process(image, environment);
    mount("proc", "proc", "proc", "nosuid", "noexec", "nodev");
    mount("dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k");
    mount(
        "dev/pts",
        "devpts",
        "devpts",
        "nosuid",
        "noexec",
        "newinstance",
        "ptmxmode=0666",
        "mode=0620");
    mount("dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k");
    mount("dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev");
    mount("sys", "bind", "/sys", "rbind", "nosuid", "noexec", "nodev", "ro");
    mount("sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "relatime", "ro");
    limits(config.putObject("linux"));
  }

  private void process(JsonNode image, Map<String, String> environment) {
    ObjectNode process = config.putObject("process");
    process.put("cwd", image.path("WorkingDir").asText());
    process.putObject("user").put("uid", 0).put("gid", 0);
    ArrayNode args = process.putArray("args");
    List.of("/bin/sh", "-c", INIT, "init").forEach(args::add);
    image.path("Entrypoint").forEach(args::add);
    ArrayNode variables = process.putArray("env");
    image.path("Env").forEach(variables::add);
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    ObjectNode capabilities = process.putObject("capabilities");
    for (String set : List.of("bounding", "effective", "permitted")) {
      CAPABILITIES.forEach(capabilities.putArray(set)::add);
    }
  }

  /// A folder or file of this machine.
  Container with(String inside, Path outside, boolean writable) {
    mount(inside, "bind", outside.toString(), "bind", writable ? "rw" : "ro");
    return this;
  }

  private void mount(String inside, String type, String source, String... options) {
    ObjectNode mount = mounts.addObject().put("destination", "/" + inside);
    mount.put("type", type).put("source", source);
    List.of(options).forEach(mount.putArray("options")::add);
  }

  private static void limits(ObjectNode linux) {
    ArrayNode namespaces = linux.putArray("namespaces");
    for (String kind : List.of("pid", "ipc", "uts", "mount")) {
      namespaces.addObject().put("type", kind);
    }
    ObjectNode resources = linux.putObject("resources");
    resources.putArray("devices").addObject().put("allow", false).put("access", "rwm");
    resources.putObject("pids").put("limit", PROCESSES_MAX);
    resources.putObject("memory").put("limit", MEMORY_BYTES);
    ArrayNode masked = linux.putArray("maskedPaths");
    List.of("/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/scsi", "/sys/firmware")
        .forEach(masked::add);
    ArrayNode readOnly = linux.putArray("readonlyPaths");
    List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
        .forEach(readOnly::add);
    ObjectNode filter = linux.putObject("seccomp").put("defaultAction", "SCMP_ACT_ALLOW");
    ArrayNode rules = filter.putArray("syscalls");
    REFUSED.forEach(refuse(rules, EPERM).putArray("names")::add);
    refuse(rules, ENOSYS).putArray("names").add("clone3");
    for (long flag : NAMESPACES) {
      ObjectNode rule = refuse(rules, EPERM);
      rule.putArray("names").add("clone");
      ObjectNode argument = rule.putArray("args").addObject().put("index", 0);
      argument.put("value", flag).put("valueTwo", flag).put("op", "SCMP_CMP_MASKED_EQ");
    }
  }

  private static ObjectNode refuse(ArrayNode rules, int error) {
    return rules.addObject().put("action", "SCMP_ACT_ERRNO").put("errnoRet", error);
  }

  String json() {
    return config.toString();
  }
}
