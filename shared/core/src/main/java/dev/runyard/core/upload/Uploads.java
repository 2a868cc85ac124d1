package dev.runyard.core.upload;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Gives places for uploads, and says what became of them. Bytes that the stack has already are not
/// put again.
public final class Uploads {
  private static final String AT = Pointer.of("workspace", "upload", "id");

  private static final Problem OTHER_BYTES =
      Problem.at(
          ProblemCode.INVALID_REQUEST,
          Pointer.of("size_bytes"),
          "There are bytes with this sha256 already, and they are not as many.");

  private final Supplier<UploadPlaces> places;
  private final Quotas quotas;
  private final InstantSource clock;

  /// @param places asked for when a request needs them
  public Uploads(Supplier<UploadPlaces> places, Quotas quotas, InstantSource clock) {
    this.places = places;
    this.quotas = quotas;
    this.clock = clock;
  }

  /// What became of an order.
  public sealed interface Answer {
    /// The bytes are there.
    record Stored(UploadId id) implements Answer {}

    /// They are to be put at a place.
    record Wanted(UploadId id, UploadPlaces.Place place) implements Answer {}

    record Refused(Problem problem) implements Answer {}
  }

  /// Finds the bytes, or gives a place for them.
  public Answer order(String tenant, UploadOrder order) {
    Instant now = clock.instant();
    List<UploadId> live = live(tenant, now);
    Optional<UploadId> known =
        live.stream()
            .filter(id -> id.names(order.sha256(), order.format()))
            .filter(id -> now.plusSeconds(Limits.UPLOAD_SURE_SECONDS).isBefore(id.expires()))
            .findFirst();
    if (known.isPresent()) {
      return places.get().bytes(tenant, known.get()).orElse(order.bytes()) == order.bytes()
          ? new Answer.Stored(known.get())
          : new Answer.Refused(OTHER_BYTES);
    }
    long most = most(tenant);
    if (live.size() >= most) {
      return new Answer.Refused(full(live, most, now));
    }
    UploadId id = UploadId.at(order.sha256(), order.format(), now);
    return new Answer.Wanted(
        id,
        places.get().open(tenant, id, order.bytes(), now.plusSeconds(Limits.UPLOAD_PUT_SECONDS)));
  }

  /// Most uploads that runs of a tenant may name.
  public long most(String tenant) {
    return quotas.of(tenant).limit(QuotaLimit.UPLOADS).orElse(Limits.UPLOADS_MAX);
  }

  /// How many there are.
  public int count(String tenant) {
    return live(tenant, clock.instant()).size();
  }

  private List<UploadId> live(String tenant, Instant now) {
    return places.get().list(tenant).stream().filter(id -> now.isBefore(id.expires())).toList();
  }

  private static Problem full(List<UploadId> live, long most, Instant now) {
    Integer wait =
        live.stream()
            .map(UploadId::expires)
            .min(Comparator.naturalOrder())
            .map(first -> (int) Duration.between(now, first).toSeconds() + 1)
            .orElse(null);
    return new Problem(
        ProblemCode.UPLOADS_FULL,
        "There are %d uploads already. Wait until the oldest expires.".formatted(most),
        List.of(),
        new Reached(QuotaLimit.UPLOADS.wire(), BigDecimal.valueOf(most), wait));
  }

  /// An upload as it is now.
  ///
  /// @param stored whether its bytes are there
  public record State(UploadId id, boolean stored) {}

  /// The upload of this id; empty if there is none, or no longer.
  public Optional<State> find(String tenant, String id) {
    Instant now = clock.instant();
    return UploadId.parse(id)
        .filter(found -> now.isBefore(found.expires()) && !found.since().isAfter(now))
        .map(found -> new State(found, places.get().bytes(tenant, found).isPresent()));
  }

  /// Why a run must not begin with the upload that its request names, if it names one.
  public Optional<Problem> refusal(String tenant, RunRequest request) {
    return request.workspace() != null
            && request.workspace().source() instanceof WorkspaceSource.Upload(String id)
        ? refusal(find(tenant, id))
        : Optional.empty();
  }

  private static Optional<Problem> refusal(Optional<State> found) {
    if (found.isEmpty()) {
      return Optional.of(
          Problem.at(
              ProblemCode.UPLOAD_NOT_FOUND, AT, "There is no upload of this id, or no longer."));
    }
    return found.get().stored()
        ? Optional.empty()
        : Optional.of(
            Problem.at(
                ProblemCode.UPLOAD_INCOMPLETE,
                AT,
                "The upload's bytes are not there yet. Put them, then submit again."));
  }
}
