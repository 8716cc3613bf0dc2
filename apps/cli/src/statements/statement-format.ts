import { UsageError } from '../cli-error.js';
import type { CsvWishes } from './csv/csv-plan.js';
import { openCsv } from './csv/open-csv.js';
import type { MappingShelf } from './csv/saved-mapping.js';
import { readBytes } from './csv/text-encoding.js';
import type { StatementRow } from './statement-row.js';

/**
 * Opens a statement in the format named, or in the one that its first bytes show.
 * @throws UsageError (exit 2) for an unknown format, one that this version does not read, or an unreadable file
 */
export async function openStatement(
  request: OpenStatementRequest & { readonly format: string | undefined },
): Promise<OpenedStatement> {
  const format =
    request.format === undefined
      ? await detectFormat(request.path)
      : formats.find(({ name }) => name === request.format);
  if (format === undefined) {
    throw new UsageError(`--format ${request.format} is not known.`, `Use one of ${formatNames.join(', ')}.`);
  }
  if (format.open === undefined) {
    throw new UsageError(
      `${request.path}: the format ${format.name} is not read by this version.`,
      'Export the statement as CSV.',
    );
  }
  return format.open(request);
}

export interface OpenStatementRequest {
  readonly path: string;
  readonly csv: CsvWishes;
  readonly mappings: MappingShelf;
}

/** A statement ready to be read, row by row, as often as wanted. */
export interface OpenedStatement {
  readonly format: string;
  /** How many rows `rows` will yield. */
  readonly rowCount: number;
  /** Whether each row says which account it belongs to. */
  readonly namesAccounts: boolean;
  rows(): AsyncIterable<StatementRow>;
  /** How it will be read, for a person to see and confirm; null in formats that leave nothing open. */
  readonly reading: {
    /** What a person has to confirm, and how to settle it without one; null where nothing is in doubt. */
    readonly doubt: { readonly message: string; readonly remedy: string } | null;
    /** One sentence about a wish that no row fits, instead of a failure for each; null where there is none. */
    readonly advice: string | null;
    readonly lines: readonly (readonly [label: string, value: string])[];
    /** Keeps this reading for the next file with the same headers. */
    save(): Promise<void>;
  } | null;
}

/** One entry of the registry. A format without `open` is recognised, so that it can be refused by name. */
interface StatementFormat {
  readonly name: string;
  recognises(head: string): boolean;
  open?(request: OpenStatementRequest): Promise<OpenedStatement>;
}

/** In the order of asking: CSV has no mark of its own, and is what remains. */
const formats: readonly StatementFormat[] = [
  { name: 'ofx', recognises: (head) => /^\s*(OFXHEADER|<\?OFX|<OFX)|<OFX>/i.test(head) },
  { name: 'qif', recognises: (head) => /^\s*!(Type|Account|Option):/i.test(head) },
  { name: 'camt053', recognises: (head) => head.includes('camt.053') },
  { name: 'csv', recognises: () => true, open: openCsv },
];

/** The names that `--format` takes. */
export const formatNames: readonly string[] = ['csv', 'ofx', 'qif', 'camt053'];

/** The names of those formats that this version also reads, and does not only recognise. */
export const readFormatNames: readonly string[] = formats
  .filter(({ open }) => open !== undefined)
  .map(({ name }) => name);

async function detectFormat(path: string): Promise<StatementFormat | undefined> {
  let head = '';
  for await (const chunk of readBytes(path)) {
    head = chunk.subarray(0, 4096).toString('latin1');
    break;
  }
  const text = head.replace(/^\u00ef\u00bb\u00bf/, '');
  // A QIF file may begin with its first transaction, which has no mark; its name tells.
  return formats.find(({ name, recognises }) => recognises(text) || path.toLowerCase().endsWith(`.${name}`));
}
