/** A row that another row of the file may reverse. */
export interface ReversedRow {
  readonly line: number;
  readonly currency: string | null;
  /** Signed, in ten-thousandths of a unit of the currency. */
  readonly amount: bigint;
  /** The description and the merchant of the row, without words for a reversal. */
  readonly texts: readonly string[];
  readonly status: string;
}

/** A row that may reverse another row, or that another row may reverse. */
export interface ReversibleRow extends ReversedRow {
  readonly day: string;
  readonly id: string;
  /** The id of another row, such as the row that this row reverses; empty if there is none. */
  readonly reference: string;
  /** Whether a cell of the row contains a word for a reversal. */
  readonly isReversal: boolean;
  /** Whether a cell of the row names a hold or an authorization. */
  readonly namesHold: boolean;
  /** Whether the status of the row says that the row was reversed. */
  readonly isReversed: boolean;
}

/**
 * Returns the lines of the final rows that reverse another row, each with the line of that row, by the rules of `findPendingRows`. A pair is
 * unclear if neither row names a hold or an authorization, and the final row does not refer to the other row.
 * @param finals the final rows, except those that the balance includes
 * @param notFinal the rows that are not final, except those that the balance includes
 */
export function pairReversals(
  finals: readonly ReversibleRow[],
  notFinal: readonly ReversibleRow[],
): { readonly pairs: ReadonlyMap<number, number>; readonly unclear: ReadonlyMap<number, number> } {
  const [pairs, unclear] = [new Map<number, number>(), new Map<number, number>()];
  const byAmount = groupByAmount(notFinal);
  const finalKeys = new Set(finals.flatMap(keysOf));
  // If a final row has the same amount and text as the other row, the reversal or refund may be for that final row instead.
  const isRepeated = (row: ReversibleRow) => keysOf(row).some((key) => finalKeys.has(key));
  const finalHolds = groupByAmount(finals.filter(({ namesHold, isReversal }) => namesHold && !isReversal));
  const taken = new Set<number>();
  for (const row of finals.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))) {
    const isEarlier = (other: ReversibleRow) =>
      other.currency === row.currency && !taken.has(other.line) && (other.isReversed || other.day <= row.day);
    const opposite = (byAmount.get(-row.amount) ?? []).filter(isEarlier);
    const holds = row.isReversal ? (finalHolds.get(-row.amount) ?? []).filter(isEarlier) : [];
    const referred = opposite.find(({ id }) => id !== '' && id === row.reference);
    const hold = findHold(row, { holds, mayBeAny: referred === undefined });
    const fitting = opposite.filter((other) => fitsByText(row, other) && (reversesHold(row) || !isRepeated(other)));
    // Of several pending rows, any may be chosen, because all are skipped.
    const isClear = fitting.length === 1 || !fitting.some(({ isReversed }) => isReversed);
    const found = hold ?? referred ?? (row.reference === '' && isClear ? fitting[0] : undefined);
    if (found === undefined) continue;
    taken.add(found.line);
    const isClearPair = found === referred || found.isReversed || row.namesHold || found.namesHold;
    if (found !== hold) (isClearPair ? pairs : unclear).set(row.line, found.line);
  }
  return { pairs, unclear };
}

/**
 * Returns the final hold that a reversal reverses: the hold to which it refers, a hold for the same authorization, or, if `mayBeAny`, any
 * hold of the amount.
 */
function findHold(
  { reference }: ReversibleRow,
  { holds, mayBeAny }: { readonly holds: readonly ReversibleRow[]; readonly mayBeAny: boolean },
): ReversibleRow | undefined {
  const named = reference === '' ? undefined : holds.find((hold) => [hold.id, hold.reference].includes(reference));
  return named ?? (mayBeAny ? holds[0] : undefined);
}

function groupByAmount(rows: readonly ReversibleRow[]): ReadonlyMap<bigint, readonly ReversibleRow[]> {
  const groups = new Map<bigint, ReversibleRow[]>();
  for (const row of rows) {
    const known = groups.get(row.amount);
    if (known === undefined) groups.set(row.amount, [row]);
    else known.push(row);
  }
  return groups;
}

/** Returns whether a row is the reversal of a hold, such as PayPal's `Reversal of General Account Hold`. */
function reversesHold({ isReversal, namesHold }: ReversibleRow): boolean {
  return isReversal && namesHold;
}

/** Returns whether the texts of a final row and of a row that is not final show that the first may reverse the second. */
function fitsByText(row: ReversibleRow, other: ReversibleRow): boolean {
  if (row.texts.length === 0) return reversesHold(row) && !other.isReversed;
  return sharesText(row, other) && (row.isReversal || other.isReversed);
}

/** Returns a key for each text of a row: the amount of the row and the text. */
function keysOf({ amount, texts }: ReversibleRow): readonly string[] {
  return texts.map((text) => `${amount} ${text}`);
}

/**
 * Returns the pairs of rows that reverse each other. The two rows have opposite amounts in one currency, and share a text. The second row of
 * a pair is the expense.
 */
export function pairOpposites<Row extends ReversedRow>(rows: readonly Row[]): readonly (readonly [Row, Row])[] {
  const open = new Map<string, Row[]>();
  const pairs: (readonly [Row, Row])[] = [];
  for (const row of rows) {
    const opposite = open.get(`${row.currency} ${-row.amount}`) ?? [];
    const position = opposite.findIndex((other) => sharesText(row, other));
    const [other] = position >= 0 ? opposite.splice(position, 1) : [];
    if (other !== undefined) pairs.push(row.amount > 0n ? [row, other] : [other, row]);
    else open.set(`${row.currency} ${row.amount}`, [...(open.get(`${row.currency} ${row.amount}`) ?? []), row]);
  }
  return pairs;
}

/** Returns whether two rows have the same description or merchant. */
function sharesText(one: ReversedRow, other: ReversedRow): boolean {
  return one.texts.some((text) => other.texts.includes(text));
}

/** Returns a text in lower case without words for a reversal, so that "Hold" and "Hold released" give the same result. */
export function withoutReversalWords(text: string | null): string {
  const words = (text ?? '').replace(everyReversalWord, ' ').toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Returns whether a cell contains a word for a reversal. */
export function namesReversal(cell: string): boolean {
  return reversalWords.test(cell);
}

/** Returns whether a cell names a hold or an authorization. */
export function namesHold(cell: string): boolean {
  return holdWords.test(cell);
}

/** The words that banks use for the reversal of a hold or an authorization. */
const reversalWords =
  /(?<!\p{L})(void(ed)?|reversal|reversed|release(d)?|cancell?ation|storno|stornierung|rückbuchung|aufhebung|freigabe|annulation|annullamento|anulación|cancelación|annulering|terugboeking|cofnięcie|сторно)(?!\p{L})/iu;
/** The words that banks use for a hold or an authorization. */
const holdWords =
  /(?<!\p{L})(holds?|(pre-?)?authori[sz]ations?|(vor)?autorisierung|einbehaltung|reserv(ation|ierung|ering)|blocage|blocco|blokkering|blokada|retenue|retención|trattenuta|(pré-?)?autorisation|(pre)?autorización|(pre)?autorizzazione|(pré-)?autorização)(?!\p{L})/iu;
const everyReversalWord = new RegExp(reversalWords, 'giu');
