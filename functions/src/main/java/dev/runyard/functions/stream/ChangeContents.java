package dev.runyard.functions.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.Headers;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.Attachment;
import dev.runyard.core.artifact.ByteRange;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.ids.RunKey;
import dev.runyard.functions.http.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;

/// Sends contents of a change, whole or in part, so that no browser shows them as a page of this
/// API. A large one is not sent: the client is sent on to an address of the store.
final class ChangeContents {
  private final Supplier<ArtifactStore> store;
  private final Supplier<LargeObjects> large;
  private final InstantSource clock;

  ChangeContents(Supplier<ArtifactStore> store, Supplier<LargeObjects> large, InstantSource clock) {
    this.store = store;
    this.large = large;
    this.clock = clock;
  }

  /// An object that the list of a run's change names.
  record Of(RunKey run, KeptChange change, KeptObject object) {}

  /// Empty if the content was removed.
  Optional<StreamAnswer> answer(StreamRequest request, Of of) {
    if (of.object().bytes() > ChangeBounds.SENT_BYTES_MAX) {
      return KeptChanges.holds(large.get(), of.run(), of.change(), of.object())
          ? Optional.of(new StreamAnswer.Whole(sentOn(of)))
          : Optional.empty();
    }
    return new KeptChanges(store.get())
        .content(of.run(), of.change(), of.object())
        .map(content -> new StreamAnswer.Live(() -> send(request, of.object(), content)));
  }

  private Reply sentOn(Of of) {
    return Reply.empty(307).with("Location", url(of, until()));
  }

  private Instant until() {
    return clock
        .instant()
        .plusSeconds(LargeObjects.ADDRESS_SECONDS)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  private String url(Of of, Instant until) {
    return KeptChanges.address(large.get(), of.run(), of.change(), of.object(), until);
  }

  /// Where anybody gets the content for some time, as a client is told.
  JsonNode address(StreamRequest request, Of of) {
    Instant until = until();
    return JsonNodeFactory.instance
        .objectNode()
        .put("url", absolute(URI.create(url(of, until)), request).toString())
        .put("expires_at", until.toString());
  }

  /// An address of the server that the request came to has the name by which the client reached it.
  private static URI absolute(URI there, StreamRequest request) {
    String host = request.header("Host");
    return there.isAbsolute() || host == null ? there : URI.create("http://" + host).resolve(there);
  }

  private static void send(StreamRequest request, KeptObject object, byte[] content)
      throws IOException {
    Headers headers = request.exchange().getResponseHeaders();
    headers.set("Content-Type", object.contentType());
    headers.set("Content-Disposition", Attachment.named(object.name()));
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", "sandbox");
    headers.set("Cache-Control", "no-store");
    headers.set("Accept-Ranges", "bytes");
    headers.set("ETag", "\"" + object.sha256() + "\"");
    switch (ByteRange.of(request.header("Range"), content.length)) {
      case ByteRange.All _ -> write(request, 200, content, 0, content.length);
      case ByteRange.Part part -> {
        headers.set("Content-Range", part.header(content.length));
        write(request, 206, content, (int) part.from(), (int) part.length());
      }
      case ByteRange.Unsatisfiable _ -> {
        headers.set("Content-Range", "bytes */" + content.length);
        request.exchange().sendResponseHeaders(416, -1);
      }
    }
  }

  private static void write(StreamRequest request, int status, byte[] content, int from, int length)
      throws IOException {
    boolean bodiless = length == 0;
    request.exchange().sendResponseHeaders(status, bodiless ? -1 : length);
    if (!bodiless) {
      request.exchange().getResponseBody().write(content, from, length);
    }
  }
}
