package dev.runyard.gates.archives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The archive that is uploaded, unpacked or seen as a file system.
///
/// @param root its top folder
record LambdaArchive(Path root) {
  private static final long UNPACKED_BYTES_MAX = 250L * 1024 * 1024;
  private static final String HTTP_CLIENTS =
      "META-INF/services/software.amazon.awssdk.http.SdkHttpService";
  private static final String HTTP_CLIENT =
      "software.amazon.awssdk.http.urlconnection.UrlConnectionSdkHttpService";

  private static final String CORE = "dev/runyard/core";
  private static final String SERVICES = "software/amazon/awssdk/services";

  /// Those that a function may call, some of them only for some requests.
  private static final List<String> CALLED =
      List.of("dynamodb", "ecs", "s3", "secretsmanager", "sqs", "ssm");

  /// What keeps it from being what Lambda starts with these handlers.
  List<String> faults(List<String> handlers) throws IOException {
    List<String> faults = new ArrayList<>();
    for (String handler : handlers) {
      String entry = handler.equals("run.sh") ? handler : handler.replace('.', '/') + ".class";
      if (!Files.exists(root.resolve(entry))) {
        faults.add("does not hold " + entry);
      }
    }
    Set<PosixFilePermission> modes = Files.getPosixFilePermissions(root.resolve("run.sh"));
    if (!modes.contains(PosixFilePermission.OWNER_EXECUTE)
        || !modes.contains(PosixFilePermission.OTHERS_EXECUTE)) {
      faults.add("does not start the stream server as a program: " + modes);
    }
    List<String> clients =
        Files.readAllLines(root.resolve(HTTP_CLIENTS)).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    if (!clients.equals(List.of(HTTP_CLIENT))) {
      faults.add("offers other HTTP clients to the SDK: " + clients);
    }
    if (!Files.exists(root.resolve(CORE))) {
      faults.add("does not hold " + CORE);
    }
    for (String service : CALLED) {
      if (!Files.exists(root.resolve(SERVICES).resolve(service))) {
        faults.add("does not hold the client of " + service);
      }
    }
    if (Files.exists(root.resolve(CORE).resolve("memory"))) {
      faults.add("holds the twins of the ports");
    }
    if (Files.exists(root.resolve("dev/runyard/embedded"))
        || Files.exists(root.resolve("org/sqlite"))) {
      faults.add("holds the store of one machine");
    }
    long bytes = 0;
    try (var files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    if (bytes >= UNPACKED_BYTES_MAX) {
      faults.add("does not fit into a function: " + bytes + " bytes");
    }
    return faults;
  }
}
