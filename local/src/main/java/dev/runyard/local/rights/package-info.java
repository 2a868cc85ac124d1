/// Who may call what: the policies of the template's roles, evaluated as IAM does, and a record of
/// the calls the roles made.
@NullMarked
package dev.runyard.local.rights;

import org.jspecify.annotations.NullMarked;
