import { withoutFormatCharacters } from '@centavo/contracts/calls';
import { UnknownNameError, UsageError } from '../../errors.js';

/** A record that users refer to by name. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly status?: string;
  /** Other texts that identify the record, such as the display name of a member or the last four characters of a secret. */
  readonly aliases?: readonly string[];
  /** A text that distinguishes the record from other records with the same name. The list of choices shows this text. */
  readonly detail?: string;
}

/**
 * Returns the record with this id or name. Compares in this order: equal id, equal name, name that differs only in case or
 * spaces, alias. The first comparison with a match decides. Of several matches, those that are archived, expired or revoked
 * count only if no match is active.
 *
 * @param choice.noun the kind of record as messages name it, for example `account`
 * @param choice.remedyIfNone the remedy in the error message if there are no records
 * @throws UnknownNameError (exit 5) when no record matches, with the ten nearest names
 * @throws UsageError (exit 2) when several records match, with a list of them
 */
export function chooseByName<Choice extends NamedRecord>(choice: {
  noun: string;
  wanted: string;
  records: readonly Choice[];
  remedyIfNone?: string;
}): Choice {
  const found = matchByName(choice.wanted, choice.records);
  const [first, ...others] = found;
  if (first === undefined) {
    const names = [...new Set(choice.records.map((record) => record.name))];
    const near = chooseNearest(choice.wanted, names);
    const more = names.length > near.length ? ` and ${names.length - near.length} more` : '';
    throw new UnknownNameError(
      `There is no ${choice.noun} "${choice.wanted}".`,
      names.length === 0
        ? (choice.remedyIfNone ?? `This tracker has no ${choice.noun} yet.`)
        : `There are: ${near.join(', ')}${more}.`,
    );
  }
  if (others.length === 0) return first;
  const choices = found.map(({ name, detail, id }) => [name, detail, id].filter(Boolean).join('  '));
  throw new UsageError(`Several records have the name "${choice.wanted}":`, 'Use the id of one of them.', choices);
}

/** Returns the records that match an id or a name by the rules of {@link chooseByName}, in the order of `records`. */
export function matchByName<Choice extends NamedRecord>(wanted: string, records: readonly Choice[]): readonly Choice[] {
  const name = wanted.trim().normalize('NFC');
  const rules: ((record: Choice) => boolean)[] = [
    (record) => record.id.toLowerCase() === name.toLowerCase(),
    (record) => record.name.normalize('NFC') === name,
    (record) => normalizeName(record.name) === normalizeName(name),
    (record) => (record.aliases ?? []).some((alias) => normalizeName(alias) === normalizeName(name)),
  ];
  const found = rules.map((rule) => records.filter(rule)).find((matches) => matches.length > 0) ?? [];
  const active = found.filter(({ status = '' }) => !['archived', 'expired', 'revoked'].includes(status));
  return active.length > 0 ? active : found;
}

/**
 * Returns the same string for names that differ only in case, Unicode normalization, format characters, or the kind or number
 * of spaces. When the API compares names, it ignores case and normalization. This function also ignores the other two
 * differences, because a copied name may contain invisible characters, or repeated or non-breaking spaces.
 */
export function normalizeName(name: string): string {
  return withoutFormatCharacters(name.normalize('NFC')).replace(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * Returns the ten names nearest to the typed name, nearest first: names that contain it, then other names by edit distance.
 * If there are ten names or fewer, all are returned in the given order.
 */
export function chooseNearest(typed: string, names: readonly string[]): readonly string[] {
  if (names.length <= namesMax) return names;
  const wanted = typed.trim().toLowerCase();
  const distanceTo = (name: string) =>
    name.toLowerCase().includes(wanted) ? 0 : countEdits(wanted, name.toLowerCase());
  return names
    .map((name) => ({ name, distance: distanceTo(name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, namesMax)
    .map(({ name }) => name);
}

const namesMax = 10;

/** Returns the Levenshtein distance of two strings. */
function countEdits(one: string, other: string): number {
  let edits = Array.from({ length: other.length + 1 }, (_, length) => length);
  for (let row = 1; row <= one.length; row += 1) {
    const above = edits;
    edits = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isEqual = one[row - 1] === other[column - 1];
      const replaced = (above[column - 1] ?? 0) + (isEqual ? 0 : 1);
      edits.push(Math.min(replaced, (above[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1));
    }
  }
  return edits.at(-1) ?? 0;
}
