package dev.runyard.runner.checkout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.request.GitAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Where contents of Git LFS may be fetched from, and what is shown there. The credential goes to
/// the repository's own server only.
///
/// @param address of the repository
/// @param login what a server of ssh has said; empty for one of https, whose place is known
record LfsPlaces(GitAddress address, ServerAccess access, Optional<JsonNode> login) {
  /// Most headers that a server may want to get.
  static final int LFS_HEADERS_MAX = 16;

  private static final int HREF_CHARS_MAX = 8192;
  private static final int VALUE_CHARS_MAX = 8192;
  private static final String AUTHORIZATION = "authorization";
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

  /// Those by which a request would mean something else.
  private static final Set<String> NOT_TAKEN =
      Set.of(
          "connection",
          "content-length",
          "cookie",
          "expect",
          "host",
          "range",
          "transfer-encoding",
          "upgrade");

  /// A place, and what it is shown.
  record Place(URI uri, Map<String, String> headers) {
    @Override
    public String toString() {
      return "Place[" + uri.getHost() + "]";
    }
  }

  /// The interface that says where contents are; empty if it is where nothing is fetched from.
  Optional<Place> batch() {
    return login.isEmpty() ? Optional.of(known()) : named(login.get()).flatMap(LfsPlaces::batchOf);
  }

  private static Optional<Place> batchOf(Place endpoint) {
    String base = endpoint.uri().toString().replaceAll("/+$", "");
    return endpoint.uri().getRawQuery() != null
        ? Optional.empty()
        : uri(base + "/objects/batch").map(uri -> new Place(uri, endpoint.headers()));
  }

  private Place known() {
    String repository = address.bare();
    String base = repository.endsWith("/") ? repository.replaceAll("/+$", "") : repository;
    URI uri =
        URI.create((base.endsWith(".git") ? base : base + ".git") + "/info/lfs/objects/batch");
    return new Place(uri, own(Map.of()));
  }

  /// The place that a server names; empty if nothing is fetched from there.
  ///
  /// @param download what it says
  Optional<Place> named(JsonNode download) {
    String href = download.path("href").asText();
    if (href.isEmpty() || href.length() > HREF_CHARS_MAX) {
      return Optional.empty();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> header : download.path("header").properties()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      String value = header.getValue().asText();
      if (headers.size() >= LFS_HEADERS_MAX
          || value.length() > VALUE_CHARS_MAX
          || !HEADER.matcher(name).matches()
          || !VALUE.matcher(value).matches()) {
        return Optional.empty();
      }
      if (!NOT_TAKEN.contains(name)) {
        headers.put(name, value);
      }
    }
    return uri(href).flatMap(uri -> at(uri, headers));
  }

  /// The place that another one sends on to. What was shown there is not shown to another server.
  Optional<Place> next(Place from, URI to) {
    URI uri = from.uri().resolve(to);
    return at(uri, server(uri).equals(server(from.uri())) ? from.headers() : Map.of());
  }

  private Optional<Place> at(URI uri, Map<String, String> headers) {
    if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      return Optional.empty();
    }
    if (server(uri).equals(address.server())) {
      return Optional.of(new Place(uri, own(headers)));
    }
    Optional<GitAddress> elsewhere =
        "https".equalsIgnoreCase(uri.getScheme()) || isBeside(uri)
            ? GitAddress.read(server(uri) + "/lfs")
            : Optional.empty();
    return elsewhere
        .filter(it -> access.servers().allow(it))
        .map(_ -> new Place(uri, shown(uri, headers)));
  }

  /// With what a server of ssh has said to show, at the server that it has named.
  private Map<String, String> shown(URI at, Map<String, String> headers) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    login
        .filter(said -> isServerOf(said, at))
        .map(said -> said.path("header").path("Authorization").asText())
        .filter(value -> !value.isEmpty() && VALUE.matcher(value).matches())
        .ifPresent(value -> all.putIfAbsent(AUTHORIZATION, value));
    return all;
  }

  private static boolean isServerOf(JsonNode said, URI at) {
    return uri(said.path("href").asText()).filter(it -> server(it).equals(server(at))).isPresent();
  }

  /// True for another port of this machine, where the repository itself is on it.
  private boolean isBeside(URI uri) {
    String host = address.host().replaceFirst(":.*$", "");
    return address.ssh()
        && "http".equalsIgnoreCase(uri.getScheme())
        && host.equals(uri.getHost())
        && GitAddress.read("http://" + host + "/lfs").isPresent();
  }

  private Map<String, String> own(Map<String, String> headers) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    access.password(address).ifPresent(it -> all.putIfAbsent(AUTHORIZATION, it.basic()));
    return all;
  }

  private static Optional<URI> uri(String href) {
    try {
      return Optional.of(URI.create(href));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static String server(URI uri) {
    String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return scheme + "://" + (uri.getPort() < 0 ? host : host + ":" + uri.getPort());
  }
}
