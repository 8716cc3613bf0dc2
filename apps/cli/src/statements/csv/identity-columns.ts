import { type CsvColumns, canonicalHeader, type IdentityColumns, nameColumns, pickIdentity } from './csv-columns.js';
import { accountKey, parseSavedMapping } from './saved-mapping.js';

/** Whose files are meant: those with these headers, of an account where the headers say nothing. */
export interface FileKind {
  readonly headers: readonly string[];
  readonly account?: string | undefined;
}

/**
 * The identity that is kept beside a saved mapping. A mapping that was saved before there were any has recorded its rows
 * with its own columns.
 *
 * @param text what is saved for these headers; undefined: nothing
 * @returns undefined where no rows were recorded yet, or what is saved is damaged
 */
export function findIdentity(text: string | undefined, kind: FileKind): IdentityColumns | undefined {
  const saved = parseObject(text);
  if (saved.identities !== undefined) return checkIdentity(parseMember(saved.identities)[ownerOf(kind)], kind);
  const mapping = text === undefined ? undefined : parseSavedMapping(text);
  return mapping === undefined ? undefined : checkIdentity(pickIdentity(mapping.columns), kind);
}

/** What is saved for these headers with another mapping, and what is known of the identity of their rows. */
export function replaceMapping(text: string | undefined, { mapping, ...kind }: FileKind & { mapping: object }): string {
  const identity = findIdentity(text, kind);
  const known = parseMember(parseObject(text).identities);
  const identities = identity === undefined ? known : { ...known, [ownerOf(kind)]: identity };
  return JSON.stringify({ ...mapping, identities }, null, 2);
}

/** What is saved for these headers with the columns that their rows are recorded with first. */
export function keepIdentity(
  text: string | undefined,
  { columns, ...kind }: FileKind & { columns: IdentityColumns },
): string {
  const saved = parseObject(text);
  const identities = { ...parseMember(saved.identities), [ownerOf(kind)]: columns };
  return JSON.stringify({ headers: kind.headers, ...saved, identities }, null, 2);
}

/**
 * Files with the same headers share an identity, whatever their accounts: the account is in the key beside it, and a
 * bank writes all its files alike. Files without headers may be of any bank, where the same place holds another thing.
 */
function ownerOf({ headers, account }: FileKind): string {
  return headers.every((header) => header.trim() === '') ? accountKey({ account }) : '';
}

function checkIdentity(value: unknown, { headers }: FileKind): IdentityColumns | undefined {
  const columns = parseMember(value);
  const known = new Set(nameColumns(headers).map(canonicalHeader));
  const isKnown = (header: unknown) => typeof header === 'string' && known.has(canonicalHeader(header));
  const isGood = columns.date !== undefined && Object.values(columns).every(isKnown);
  return isGood ? pickIdentity(columns as unknown as CsvColumns) : undefined;
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return parseMember(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

function parseMember(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
