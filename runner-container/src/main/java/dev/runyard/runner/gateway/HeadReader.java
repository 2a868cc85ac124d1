package dev.runyard.runner.gateway;

import dev.runyard.runner.gateway.RequestHead.Header;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the head of a request, strictly: whatever two programs could understand differently is
/// refused, so that nobody can hide a request in another one.
final class HeadReader {
  static final int HEAD_BYTES_MAX = 64 * 1024;
  static final int HEADERS_MAX = 200;
  static final int HEAD_SECONDS_MAX = 20;

  private static final Pattern REQUEST =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\\S+) HTTP/(\\d\\.\\d)");

  /// Possessive, as whatever may be given back takes a part of the stack for each character.
  private static final Pattern TARGET =
      Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*+");

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
  private static final Pattern LENGTH = Pattern.compile("\\d{1,15}");

  private HeadReader() {}

  /// What came.
  sealed interface Heard {
    record Request(RequestHead head) implements Heard {}

    /// Something else; nothing after it can be understood.
    record Wrong(Refusal why) implements Heard {}

    /// Nothing, or not in time.
    record Gone() implements Heard {}
  }

  static Heard read(ConnectionInput in) {
    in.within(Duration.ofSeconds(HEAD_SECONDS_MAX));
    StringBuilder text = new StringBuilder();
    try {
      while (!ends(text)) {
        if (text.length() == HEAD_BYTES_MAX) {
          return wrong(
              new Refusal(
                  431, "head_too_large", "The headers exceed %d bytes.".formatted(HEAD_BYTES_MAX)));
        }
        text.append((char) in.read());
      }
    } catch (IOException _) {
      return new Heard.Gone();
    }
    return parse(text.substring(0, text.length() - 4));
  }

  private static boolean ends(StringBuilder text) {
    int length = text.length();
    return length >= 4
        && text.charAt(length - 1) == '\n'
        && text.indexOf("\r\n\r\n", length - 4) > 0;
  }

  static Heard parse(String text) {
    List<String> lines = List.of(text.split("\r\n", -1));
    Matcher request = REQUEST.matcher(lines.getFirst());
    if (!request.matches()) {
      return malformed("its first line");
    }
    if (!request.group(3).equals("1.1")) {
      return wrong(new Refusal(505, "wrong_http_version", "Only HTTP/1.1 is spoken here."));
    }
    if (!TARGET.matcher(request.group(2)).matches()) {
      return malformed("its target is no path");
    }
    List<Header> headers = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
        return malformed("a header without a name");
      }
      String value = line.substring(colon + 1).strip();
      if (!VALUE.matcher(value).matches()) {
        return malformed("a header with a character that none may have");
      }
      headers.add(new Header(line.substring(0, colon).toLowerCase(Locale.ROOT), value));
    }
    RequestHead head = new RequestHead(request.group(1), request.group(2), headers);
    return unclear(head).<Heard>map(HeadReader::malformed).orElseGet(() -> new Heard.Request(head));
  }

  /// Why it is not clear where the request ends, or for whom it is.
  private static Optional<String> unclear(RequestHead head) {
    if (head.headers().size() > HEADERS_MAX) {
      return Optional.of("too many headers");
    }
    if (head.all("host").count() != 1) {
      return Optional.of("not one Host");
    }
    List<String> lengths = head.all("content-length").toList();
    List<String> codings = head.all("transfer-encoding").toList();
    boolean length =
        lengths.isEmpty() || (lengths.size() == 1 && LENGTH.matcher(lengths.getFirst()).matches());
    boolean coding =
        codings.isEmpty()
            || (codings.size() == 1
                && lengths.isEmpty()
                && codings.getFirst().toLowerCase(Locale.ROOT).equals("chunked"));
    return length && coding ? Optional.empty() : Optional.of("its length is not clear");
  }

  private static Heard malformed(String what) {
    return wrong(Refusal.malformed(what));
  }

  private static Heard wrong(Refusal why) {
    return new Heard.Wrong(why);
  }
}
