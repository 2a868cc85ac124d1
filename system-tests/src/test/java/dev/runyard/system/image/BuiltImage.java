package dev.runyard.system.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.CacheFolder;
import dev.runyard.system.Api;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The image as the project's own scripts build it. What they keep between builds is in the cache.
///
/// @param rootfs its files
record BuiltImage(Path rootfs) {
  static final Path HOME = Path.of(System.getProperty("runyard.home"));

  static BuiltImage build() throws IOException, InterruptedException {
    Path cache = CacheFolder.of(System.getenv()).resolve("image");
    Path rootfs = cache.resolve("rootfs");
    String script = HOME.resolve("runner-container/image/build.sh").toString();
    ProcessBuilder builder = new ProcessBuilder("sh", script, cache.toString(), rootfs.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path log = Files.createTempFile("image-", ".log");
    try {
      File said = log.toFile();
      int status = builder.redirectErrorStream(true).redirectOutput(said).start().waitFor();
      if (status != 0) {
        throw new AssertionError("the image is not built\n" + Files.readString(log));
      }
    } finally {
      Files.delete(log);
    }
    return new BuiltImage(rootfs);
  }

  /// Everything it contains, with versions and licences.
  JsonNode contents() throws IOException {
    return Api.JSON.readTree(rootfs.resolve("opt/runyard/contents.cdx.json").toFile());
  }

  /// What its files take on a disk.
  long mebibytes() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("du", "-sm", rootfs.toString()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return Long.parseLong(said.split("\t", 2)[0]);
  }
}
