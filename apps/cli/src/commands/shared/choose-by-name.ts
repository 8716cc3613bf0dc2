import { UnknownNameError, UsageError } from '../../errors.js';
import { withoutFormatCharacters } from '../../statements/tidy-text.js';

/** A record that people call by its name. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly status?: string;
  /** Other words that mean it: the e-mail address of a member, the last four characters of a key. */
  readonly aliases?: readonly string[];
  /** What tells it from others of its name, for the list of choices. */
  readonly detail?: string;
}

/**
 * Chooses the record that an id or a name means: an equal id, else the equal name, else the name in another case or with
 * other blanks, else another word for it. Where several have the name, those go first that are not archived, expired or revoked.
 *
 * @param choice.noun what the records are, for messages: `account`
 * @param choice.remedyIfNone what to do where there is no record at all
 * @throws UnknownNameError (exit 5) when nothing has it, naming the ten nearest; @throws UsageError (exit 2) when several do, listing them
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
  throw new UsageError(`"${choice.wanted}" is the name of several:`, 'Say which by its id.', choices);
}

/** The records that an id or a name may mean, in the order of the list; none, one, or several. */
export function matchByName<Choice extends NamedRecord>(wanted: string, records: readonly Choice[]): readonly Choice[] {
  const name = wanted.trim().normalize('NFC');
  const rules: ((record: Choice) => boolean)[] = [
    (record) => record.id.toLowerCase() === name.toLowerCase(),
    (record) => record.name.normalize('NFC') === name,
    (record) => foldCase(record.name) === foldCase(name),
    (record) => (record.aliases ?? []).some((alias) => foldCase(alias) === foldCase(name)),
  ];
  const found = rules.map((rule) => records.filter(rule)).find((matches) => matches.length > 0) ?? [];
  const active = found.filter(({ status = '' }) => !['archived', 'expired', 'revoked'].includes(status));
  return active.length > 0 ? active : found;
}

/**
 * One spelling for names that look alike: case, blanks, format characters, and how an accent is encoded, do not count. The API
 * compares case and encoding so; a name that was copied from elsewhere may have two blanks, or one that does not break.
 */
export function foldCase(name: string): string {
  return withoutFormatCharacters(name.normalize('NFC')).replace(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * The ten names that are most like one that was typed, nearest first: those that hold it as a whole, then by how many
 * letters have to be changed. Up to ten are given as they are, in their order.
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

/** How many letters have to be added, taken out or replaced to make one text the other. */
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
