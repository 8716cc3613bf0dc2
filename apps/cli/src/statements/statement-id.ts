/**
 * A statement's own id of a row, or null where the bank has put something in its place that is none: `NONREF` and
 * `NOTPROVIDED` of the banking standards, or nothing but zeros. Such a row is known by its content instead.
 */
export function toStatementId(text: string | undefined): string | null {
  const id = text?.trim() ?? '';
  return /^(0*|NONREF|NOT ?PROVIDED|NONE|N\/A|UNKNOWN)$/i.test(id) ? null : id;
}
