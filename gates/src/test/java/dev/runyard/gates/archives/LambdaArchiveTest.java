package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Planted;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LambdaArchiveTest {
  private static final List<String> HANDLERS = List.of("run.sh", "a.Handler");
  private static final String CLIENTS =
      "META-INF/services/software.amazon.awssdk.http.SdkHttpService";
  private static final long MEBIBYTE = 1024L * 1024;

  @TempDir private Path root;

  @Planted("LambdaArchiveIT.holdsWhatLambdaStartsAndFits")
  @Test
  void everyFaultIsNamed() throws IOException {
    write("run.sh", "#!/bin/sh");
    Files.setPosixFilePermissions(
        root.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    write("a/Handler.class", "");
    write(CLIENTS, "software.amazon.awssdk.http.urlconnection.UrlConnectionSdkHttpService\n");
    for (String service : List.of("dynamodb", "ecs", "s3", "secretsmanager", "sqs")) {
      write("software/amazon/awssdk/services/" + service + "/Client.class", "");
    }
    assertEquals(
        List.of("does not hold dev/runyard/core", "does not hold the client of ssm"), faults());
    write("dev/runyard/core/run/RunFold.class", "");
    write("software/amazon/awssdk/services/ssm/Client.class", "");
    assertEquals(List.of(), faults());

    Files.setPosixFilePermissions(
        root.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr--"));
    Files.delete(root.resolve("a/Handler.class"));
    write(CLIENTS, "software.amazon.awssdk.http.apache.ApacheSdkHttpService\n");
    write("dev/runyard/core/memory/MemoryPorts.class", "");
    write("org/sqlite/JDBC.class", "");
    try (RandomAccessFile large = new RandomAccessFile(root.resolve("large").toFile(), "rw")) {
      large.setLength(250 * MEBIBYTE);
    }

    assertEquals(
        List.of(
            "does not hold a/Handler.class",
            "does not start the stream server as a program",
            "offers other HTTP clients to the SDK",
            "holds the twins of the ports",
            "holds the store of one machine",
            "does not fit into a function"),
        faults().stream().map(fault -> fault.split(":", 2)[0]).toList());
  }

  private List<String> faults() throws IOException {
    return new LambdaArchive(root).faults(HANDLERS);
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
