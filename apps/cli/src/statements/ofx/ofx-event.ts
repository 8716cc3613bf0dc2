/** What an OFX file tells, whichever dialect it is written in. */
export type OfxEvent =
  | { readonly kind: 'enter' | 'leave'; readonly name: string }
  | { readonly kind: 'record'; readonly name: string; readonly line: number; readonly fields: OfxFields };

/** The values of a record by their path in it: `TRNAMT`, `PAYEE.NAME`; the record's own text is `""`. */
export type OfxFields = ReadonlyMap<string, string>;

/** What is read as a whole; everything else is only entered and left. */
export const recordNames: ReadonlySet<string> = new Set([
  'CURDEF',
  'BANKACCTFROM',
  'CCACCTFROM',
  'STMTTRN',
  // Of the newest versions: what the bank has not settled yet.
  'STMTTRNP',
]);
