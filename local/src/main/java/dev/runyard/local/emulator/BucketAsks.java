package dev.runyard.local.emulator;

import com.sun.net.httpserver.Headers;
import dev.runyard.local.rights.Asked;
import java.util.ArrayList;
import java.util.List;

/// The actions an S3 request asks for.
final class BucketAsks {
  private static final String ARN = "arn:aws:s3:::";

  private BucketAsks() {}

  /// @param path bucket and key, each after a slash
  static List<Asked> of(String method, String path, Headers headers) {
    String object = ARN + path.substring(1);
    List<Asked> asked = new ArrayList<>();
    switch (method) {
      case "PUT" -> {
        asked.add(Asked.of("s3:PutObject", object));
        // A conditional put reveals the existing object.
        if (headers.containsKey("If-Match")) {
          asked.add(Asked.of("s3:GetObject", object));
        }
      }
      case "DELETE" -> asked.add(Asked.of("s3:DeleteObject", object));
      case String _ -> asked.add(Asked.of("s3:GetObject", object));
    }
    return asked;
  }

  /// The right to learn that an object is missing.
  static Asked list(String path) {
    return Asked.of("s3:ListBucket", ARN + path.substring(1, path.indexOf('/', 1)));
  }
}
