package dev.runyard.core.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.Recent;
import dev.runyard.core.projection.SnapshotBody;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.FirstChunk;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The requests of a job's items. Those of one addition are stored in parts of a few, under a name
/// made from their content, so that writing them again changes nothing and nobody else's are
/// replaced. Within a part all but the first have only the members that differ from the first.
public final class ItemRequests {
  /// How many requests a part may have; the first of these with which every part is small enough.
  private static final List<Integer> STEPS = List.of(100, 50, 20, 5, 1);

  private static final int NAME_BYTES = 16;

  private final JobItems items;
  private final Recent<String, JsonNode> recent = new Recent<>();

  public ItemRequests(JobItems items) {
    this.items = items;
  }

  /// Stores requests, of which there is at least one.
  ///
  /// @param key as [ItemBatch] has it
  public ItemBatch put(JobKey job, List<RunRequest> requests, String key) {
    List<ObjectNode> forms = requests.stream().map(ItemRequests::form).toList();
    for (int step : STEPS) {
      Optional<List<byte[]>> parts = parts(forms, step);
      if (parts.isPresent()) {
        String name = name(parts.get());
        for (int i = 0; i < parts.get().size(); i++) {
          items.put(job, name + "-" + i, parts.get().get(i));
        }
        return new ItemBatch(name, key, 0, requests.size(), step);
      }
    }
    throw new IllegalStateException("a part of one request is always small enough");
  }

  /// What the item asks for; empty when that is not kept any more.
  public Optional<RunRequest> of(JobKey job, JobProgress progress, int item) {
    return progress
        .batch(item)
        .flatMap(
            batch ->
                part(job, batch.inputs() + "-" + batch.part(item))
                    .map(part -> request(part, batch.place(item))));
  }

  /// True for what items may have in common: it is stored whole or not at all.
  static boolean fits(ObjectNode common) {
    return SnapshotBody.encode(common.toString()).length <= FirstChunk.REQUEST_BYTES_MAX;
  }

  /// Stores what all items have in common, under a name made from it.
  public void putCommon(JobKey job, String fingerprint, ObjectNode request) {
    items.put(job, common(fingerprint), SnapshotBody.encode(request.toString()));
  }

  /// Reads what [#putCommon] stored; empty when it is not kept any more.
  public Optional<ObjectNode> common(JobKey job, String fingerprint) {
    return part(job, common(fingerprint)).map(found -> ((ObjectNode) found).deepCopy());
  }

  private static String common(String fingerprint) {
    return "request-" + fingerprint;
  }

  private Optional<JsonNode> part(JobKey job, String name) {
    String place = job.partition() + "/" + name;
    Optional<JsonNode> known = recent.get(place);
    if (known.isPresent()) {
      return known;
    }
    Optional<JsonNode> read = items.requests(job, name).map(ItemRequests::json);
    read.ifPresent(found -> recent.put(place, found));
    return read;
  }

  private static JsonNode json(byte[] stored) {
    try {
      return JsonFormat.JSON.readTree(SnapshotBody.decode(stored));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode form(RunRequest request) {
    return JsonFormat.JSON.valueToTree(request);
  }

  private static RunRequest request(JsonNode part, int place) {
    ObjectNode whole = ((ObjectNode) part.get(0)).deepCopy();
    whole.setAll((ObjectNode) part.get(place));
    try {
      return JsonFormat.JSON.treeToValue(whole, RunRequest.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<List<byte[]>> parts(List<ObjectNode> forms, int step) {
    List<byte[]> parts = new ArrayList<>();
    for (int from = 0; from < forms.size(); from += step) {
      List<ObjectNode> some = forms.subList(from, Math.min(from + step, forms.size()));
      byte[] part = part(some);
      if (part.length > JobLimits.INPUTS_BYTES_MAX
          && part.length > part(some.subList(0, 1)).length + JobLimits.INPUTS_BYTES_MAX) {
        return Optional.empty();
      }
      parts.add(part);
    }
    return Optional.of(parts);
  }

  private static byte[] part(List<ObjectNode> forms) {
    ObjectNode first = forms.getFirst();
    ArrayNode part = JsonNodeFactory.instance.arrayNode().add(first);
    forms.stream().skip(1).map(form -> differing(form, first)).forEach(part::add);
    return SnapshotBody.encode(part.toString());
  }

  private static ObjectNode differing(ObjectNode form, ObjectNode first) {
    ObjectNode other = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : form.properties()) {
      if (!member.getValue().equals(first.get(member.getKey()))) {
        other.set(member.getKey(), member.getValue());
      }
    }
    first.fieldNames().forEachRemaining(name -> absent(name, form, other));
    return other;
  }

  private static void absent(String name, ObjectNode form, ObjectNode other) {
    if (!form.has(name)) {
      other.putNull(name);
    }
  }

  private static String name(List<byte[]> parts) {
    byte[] digest = Digest.of(parts.toArray(byte[][]::new));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(digest, NAME_BYTES));
  }

  /// The key of a request that adds items, as it is stored.
  public static String keyOf(String idempotencyKey) {
    byte[] digest = Digest.of(idempotencyKey.getBytes(StandardCharsets.UTF_8));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(digest, NAME_BYTES));
  }
}
