package dev.runyard.runner.backend;

import org.jspecify.annotations.Nullable;

/// Finds the forms of secrets in a text, in one pass whatever their number, and their digits where
/// line ends divide them.
final class SecretSearch {
  private static final int WINDOW = KnownForms.WINDOW;

  private final KnownForms forms = new KnownForms();
  private final WrappedForms wrapped = new WrappedForms();

  /// One form of a secret.
  ///
  /// @param secret its name
  record Form(String text, String secret) {}

  void add(Form form) {
    forms.add(form);
  }

  /// Adds a form of digits, which programs break into lines.
  void addDigits(Form form) {
    forms.add(form);
    wrapped.add(form);
  }

  boolean isEmpty() {
    return forms.isEmpty();
  }

  /// What was done about each form that was found.
  interface Found {
    /// What stands in its place.
    String instead(Form form);
  }

  /// Replaces the forms in a text.
  ///
  /// @param more whether text may follow that belongs to it: then an end that may be the beginning
  ///   of a form is left out
  /// @return the text without them; what was left out begins at the end of what was read
  Result replace(String text, boolean more, Found found) {
    WrappedForms.Places places = wrapped.in(text, more);
    int n = text.length();
    int unsure = more ? forms.unsure(n) : n;
    StringBuilder out = null;
    int copied = 0;
    int at = 0;
    int hash = 0;
    boolean hashed = false;
    while (at < n) {
      WrappedForms.Place place = places.at(at);
      if (place != null && place.form() == null) {
        break;
      }
      if (at + WINDOW > n) {
        if (at >= unsure && forms.isBeginning(text, at)) {
          break;
        }
        at++;
        continue;
      }
      hash = hashed ? hash : KnownForms.hash(text, at);
      boolean near = forms.mayBegin(hash);
      if (near && at >= unsure && forms.begins(text, at, hash)) {
        break;
      }
      Form form = longer(near ? forms.at(text, at, hash) : null, place);
      if (form == null) {
        hashed = at + WINDOW < n;
        hash = hashed ? KnownForms.moved(hash, text, at) : hash;
        at++;
      } else {
        out = out == null ? new StringBuilder(n) : out;
        out.append(text, copied, at).append(found.instead(form));
        at += form.text().length();
        copied = at;
        hashed = false;
      }
    }
    if (out == null) {
      return new Result(text.substring(0, at), at);
    }
    return new Result(out.append(text, copied, at).toString(), at);
  }

  /// @param read how much of the text the result stands for
  record Result(String text, int read) {}

  private static @Nullable Form longer(@Nullable Form whole, WrappedForms.@Nullable Place place) {
    Form divided = place == null ? null : place.form();
    boolean further =
        divided != null && (whole == null || divided.text().length() > whole.text().length());
    return further ? divided : whole;
  }
}
