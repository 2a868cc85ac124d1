package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.upload.UploadFormat;
import dev.runyard.core.upload.UploadId;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.upload.ArchiveMaker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attempts at runs that begin with an upload.
final class UploadAttemptsTest {
  private static final Instant SINCE = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path directory;
  private WorkspaceRig rig;

  @BeforeEach
  void open() throws Exception {
    Path work = Files.createDirectories(directory.toRealPath().resolve("work"));
    rig = new WorkspaceRig(directory, work, new RunnerRig(work));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @EnumSource
  void startTheAgentWithTheFilesAndKeepWhatItChanged(UploadFormat format) throws Exception {
    ArchiveMaker archive =
        new ArchiveMaker(format)
            .file("src/a", "one\n")
            .file("a b\n\u00fc", "odd\n")
            .folder("empty")
            .link("away", "/nowhere");
    UploadId id = id(format, archive.bytes());
    RunKey run =
        rig.submit(
            "cat src/a; ls -d empty; readlink away; git log --format=%s; git status --porcelain;"
                + " echo two >> src/a; rm away",
            WorkspaceRequest.of(new WorkspaceSource.Upload(id.text())));
    rig.runner.artifacts.put(id.key(run.tenant()), archive.bytes());

    rig.work();

    assertEquals("one\nempty\n/nowhere\nUploaded files", rig.said(run));
    WorkspaceNotice.ContextResolved told =
        rig.events(run, WorkspaceNotice.ContextResolved.class).getFirst();
    KeptChange kept = kept(run);
    assertEquals("upload", told.source());
    assertEquals(id.text(), told.ref());
    assertEquals(3, told.files());
    assertEquals(told.commit(), kept.baseCommit());
    assertEquals(List.of("away", "src/a"), kept.files().stream().map(file -> file.path()).toList());
    assertTrue(patch(run).contains("+two\n"));
    assertEquals(List.of(), kept.leftOut());
    assertEquals(List.of(), rig.left());
  }

  @Test
  void giveTheNextRunOfTheSessionItsFilesAndTheCommitOfTheUpload() throws Exception {
    byte[] archive =
        new ArchiveMaker(UploadFormat.TAR_GZ)
            .file(".gitattributes", "* text eol=lf\n")
            .file("dos", "one\r\n")
            .bytes();
    UploadId id = id(UploadFormat.TAR_GZ, archive);
    RunKey first =
        rig.submit("echo 2 > b", WorkspaceRequest.of(new WorkspaceSource.Upload(id.text())));
    rig.runner.artifacts.put(id.key(first.tenant()), archive);
    rig.work();

    RunKey next = rig.submit("cat b; git log --format=%s; printf '2\\r\\n' >> dos", null);
    rig.work();

    assertEquals("2\nUploaded files", rig.said(next));
    WorkspaceNotice.ContextResolved told =
        rig.events(next, WorkspaceNotice.ContextResolved.class).getFirst();
    assertEquals("session", told.source());
    assertNull(told.url());
    assertEquals(
        rig.events(first, WorkspaceNotice.ContextResolved.class).getFirst().commit(),
        told.commit());
    assertEquals(List.of("dos"), kept(next).files().stream().map(file -> file.path()).toList());
    assertTrue(patch(next).contains(" one\r\n+2\r\n"), patch(next));
  }

  @Test
  void changeNoLineEndsWhateverTheFilesSayOfThem() throws Exception {
    byte[] archive =
        new ArchiveMaker(UploadFormat.TAR_GZ)
            .file(".gitattributes", "* text eol=crlf ident filter=x working-tree-encoding=UTF-16\n")
            .file("dos", "one\r\n$Id$\r\n")
            .bytes();
    UploadId id = id(UploadFormat.TAR_GZ, archive);
    RunKey run =
        rig.submit(
            "printf 'two\\r\\n' >> dos",
            WorkspaceRequest.of(new WorkspaceSource.Upload(id.text())));
    rig.runner.artifacts.put(id.key(run.tenant()), archive);

    rig.work();

    assertEquals(1, kept(run).linesAdded());
    assertEquals(0, kept(run).linesRemoved());
    assertTrue(patch(run).contains("\n one\r\n $Id$\r\n+two\r\n"), patch(run));
  }

  @Test
  void startNoAgentWithoutTheBytesThatTheRunNames() throws Exception {
    byte[] archive = new ArchiveMaker(UploadFormat.ZIP).file("a", "1").bytes();
    UploadId id = id(UploadFormat.ZIP, archive);
    WorkspaceRequest workspace = WorkspaceRequest.of(new WorkspaceSource.Upload(id.text()));

    RunKey none = rig.submit("echo started", workspace);
    rig.work();
    RunKey others = rig.submit("echo started", workspace);
    rig.runner.artifacts.put(id.key(others.tenant()), new byte[] {1});
    rig.work();

    assertEquals(Failure.UPLOAD_UNAVAILABLE, rig.failure(none));
    assertEquals(Failure.UPLOAD_REFUSED, rig.failure(others));
    assertEquals("", rig.said(none) + rig.said(others));
    assertEquals(List.of(), rig.left());
  }

  @Test
  void startNoAgentWithAnArchiveThatTriesToGetOut() throws Exception {
    byte[] archive =
        new ArchiveMaker(UploadFormat.TAR_ZST).file("a", "1").file("../b", "2").bytes();
    UploadId id = id(UploadFormat.TAR_ZST, archive);
    RunKey run =
        rig.submit("echo started", WorkspaceRequest.of(new WorkspaceSource.Upload(id.text())));
    rig.runner.artifacts.put(id.key(run.tenant()), archive);

    rig.work();

    assertEquals(Failure.UPLOAD_REFUSED, rig.failure(run));
    assertEquals("", rig.said(run));
    assertFalse(Files.exists(directory.resolve("work/workspaces/b")));
    assertEquals(List.of(), rig.left());
  }

  private static UploadId id(UploadFormat format, byte[] archive) {
    return UploadId.at(HexFormat.of().formatHex(Digest.of(archive)), format, SINCE);
  }

  private KeptChange kept(RunKey run) {
    return new KeptChanges(rig.runner.artifacts).find(run).orElseThrow();
  }

  private String patch(RunKey run) {
    KeptChange kept = kept(run);
    return new String(
        new KeptChanges(rig.runner.artifacts)
            .content(run, kept, Objects.requireNonNull(kept.patch()))
            .orElseThrow(),
        StandardCharsets.UTF_8);
  }
}
