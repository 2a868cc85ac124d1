package dev.runyard.core.upload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryUploadPlaces;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UploadsTest {
  private static final String TENANT = "acme";

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:34:00Z"));
  private final MemoryUploadPlaces places =
      new MemoryUploadPlaces(new MemoryArtifactStore(), clock);
  private final Uploads uploads = new Uploads(() -> places, Quotas.NONE, clock);

  @Test
  void wantNoBytesThatAreThereAlready() {
    Uploads.Answer.Wanted first = wanted("a");
    assertEquals(first.id(), wanted("a").id());
    put(first, "a");

    assertEquals(new Uploads.Answer.Stored(first.id()), uploads.order(TENANT, order("a")));
    assertInstanceOf(Uploads.Answer.Wanted.class, uploads.order("other", order("a")));
  }

  @Test
  void areNotFoundByAHashWithAnotherSize() {
    put(wanted("a"), "a");

    Uploads.Answer.Refused refused =
        assertInstanceOf(
            Uploads.Answer.Refused.class,
            uploads.order(TENANT, new UploadOrder(2, sha256("a"), UploadFormat.TAR_GZ)));

    assertEquals(ProblemCode.INVALID_REQUEST, refused.problem().code());
    assertEquals(List.of("/size_bytes"), refused.problem().pointers());
  }

  @Test
  void wantBytesAgainBeforeTheyExpire() {
    Uploads.Answer.Wanted first = wanted("a");
    put(first, "a");
    clock.advance(Duration.ofSeconds(Limits.UPLOAD_SECONDS - Limits.UPLOAD_SURE_SECONDS));

    Uploads.Answer.Wanted second = wanted("a");

    assertTrue(second.id().expires().isAfter(first.id().expires()));
    assertTrue(uploads.find(TENANT, first.id().text()).isPresent());
  }

  @Test
  void areFoundUntilTheyExpire() {
    Uploads.Answer.Wanted wanted = wanted("a");
    String id = wanted.id().text();

    assertEquals(Optional.of(new Uploads.State(wanted.id(), false)), uploads.find(TENANT, id));
    put(wanted, "a");
    assertEquals(Optional.of(new Uploads.State(wanted.id(), true)), uploads.find(TENANT, id));
    clock.set(wanted.id().expires());
    assertEquals(Optional.empty(), uploads.find(TENANT, id));
  }

  @Test
  void areBounded() {
    for (int i = 0; i < Limits.UPLOADS_MAX; i++) {
      put(wanted("a" + i), "a" + i);
    }

    assertEquals(Limits.UPLOADS_MAX, uploads.count(TENANT));
    Problem full =
        assertInstanceOf(Uploads.Answer.Refused.class, uploads.order(TENANT, order("b"))).problem();
    assertEquals(ProblemCode.UPLOADS_FULL, full.code());
    assertEquals(
        new Reached(
            QuotaLimit.UPLOADS.wire(),
            BigDecimal.valueOf(Limits.UPLOADS_MAX),
            86_400 - 34 * 60 + 1),
        full.reached(),
        "the oldest is of the full hour before");
    assertInstanceOf(Uploads.Answer.Stored.class, uploads.order(TENANT, order("a1")));
    clock.advance(Duration.ofSeconds(Limits.UPLOAD_SECONDS));
    assertEquals(0, uploads.count(TENANT));
    put(wanted("b"), "b");
  }

  @Test
  void refuseARunThatBeginsWithBytesThatAreNotThere() {
    Uploads.Answer.Wanted wanted = wanted("a");
    RunRequest request = beginning(new WorkspaceSource.Upload(wanted.id().text()));

    assertRefused(ProblemCode.UPLOAD_INCOMPLETE, request);
    put(wanted, "a");
    assertEquals(Optional.empty(), uploads.refusal(TENANT, request));
    assertEquals(
        ProblemCode.UPLOAD_INCOMPLETE, uploads.refusal("other", request).orElseThrow().code());
    clock.set(wanted.id().expires());
    assertRefused(ProblemCode.UPLOAD_NOT_FOUND, request);
    assertRefused(ProblemCode.UPLOAD_NOT_FOUND, beginning(new WorkspaceSource.Upload("nonsense")));
  }

  @Test
  void refuseNoRunThatBeginsWithSomethingElse() {
    assertEquals(Optional.empty(), uploads.refusal(TENANT, SampleRequests.echo("")));
    assertEquals(
        Optional.empty(), uploads.refusal(TENANT, beginning(new WorkspaceSource.Session())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'size_bytes':0,'sha256':'%s','format':'zip'}",
        "{'size_bytes':67108865,'sha256':'%s','format':'zip'}",
        "{'size_bytes':1,'sha256':'%S','format':'zip'}",
        "{'size_bytes':1,'sha256':'abc','format':'zip'}",
        "{'size_bytes':1,'sha256':'%s','format':'rar'}",
        "{'size_bytes':1,'sha256':'%s','format':'zip','more':1}"
      })
  void takeNoOtherOrder(String body) {
    String json = body.replace('\'', '"').formatted(sha256("a"));

    assertInstanceOf(
        UploadOrder.Result.Rejected.class, UploadOrder.read(json.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "../a-1.zip", "%s-0.zip", "%s-1.rar", "%s-1.zip/../b"})
  void haveNoOtherIds(String text) {
    assertEquals(Optional.empty(), UploadId.parse(text.formatted(sha256("a"))));
  }

  @Test
  void areNamedByTheirBytes() {
    UploadId id = wanted("a").id();

    assertEquals(Optional.of(id), UploadId.parse(id.text()));
    assertEquals(sha256("a"), id.sha256());
  }

  private static RunRequest beginning(WorkspaceSource source) {
    return SampleRequests.echo("").with(WorkspaceRequest.of(source));
  }

  private void assertRefused(ProblemCode code, RunRequest request) {
    Problem problem = uploads.refusal(TENANT, request).orElseThrow();

    assertEquals(code, problem.code());
    assertEquals(List.of("/workspace/upload/id"), problem.pointers());
  }

  private Uploads.Answer.Wanted wanted(String content) {
    return assertInstanceOf(Uploads.Answer.Wanted.class, uploads.order(TENANT, order(content)));
  }

  private void put(Uploads.Answer.Wanted wanted, String content) {
    assertTrue(places.put(wanted.place().url(), content.getBytes(StandardCharsets.UTF_8)));
  }

  private static UploadOrder order(String content) {
    return new UploadOrder(content.length(), sha256(content), UploadFormat.TAR_GZ);
  }

  private static String sha256(String content) {
    return HexFormat.of().formatHex(Digest.of(content.getBytes(StandardCharsets.UTF_8)));
  }
}
