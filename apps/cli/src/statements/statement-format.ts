import { UsageError } from '../cli-error.js';
import { openCamt053 } from './camt053/open-camt053.js';
import type { CsvWishes } from './csv/csv-plan.js';
import { openCsv } from './csv/open-csv.js';
import type { MappingShelf } from './csv/saved-mapping.js';
import { openOfx } from './ofx/open-ofx.js';
import { peekText } from './peek-text.js';
import { openQif } from './qif/open-qif.js';
import type { StatementRow } from './statement-row.js';

/**
 * Opens a statement in the format named, or in the one that its first bytes show.
 * @throws UsageError (exit 2) for an unknown format, one that is none of a statement, or an unreadable file
 */
export async function openStatement(
  request: OpenStatementRequest & { readonly format: string | undefined },
): Promise<OpenedStatement> {
  const wanted = request.format;
  const format = wanted === undefined ? await detectFormat(request.path) : formats.find(({ name }) => name === wanted);
  if (format === undefined) {
    throw new UsageError(`--format ${wanted} is not known.`, `Use one of ${formatNames.join(', ')}.`);
  }
  if ((request.onlyAccounts ?? []).length > 0 && format.name === 'csv') {
    throw new UsageError(
      '--statement-account is not for CSV.',
      'Name the column of the accounts with --account-column.',
    );
  }
  return format.open(request);
}

export interface OpenStatementRequest {
  readonly path: string;
  readonly csv: CsvWishes;
  readonly mappings: MappingShelf;
  /** Those accounts of the file that are wanted, by their number or name in it; none: all. Not for CSV. */
  readonly onlyAccounts?: readonly string[];
}

/** A statement ready to be read, row by row, as often as wanted. */
export interface OpenedStatement {
  readonly format: string;
  /** How many rows `rows` will yield. */
  readonly rowCount: number;
  /** Whether each row says which account it belongs to. */
  readonly namesAccounts: boolean;
  /** The accounts that the file itself tells of, in its order; absent in CSV, whose rows may name any. */
  readonly accounts?: readonly StatementAccount[];
  /** The categories that its rows name; absent where there are none. */
  readonly categories?: {
    /** As the file spells them, in its order; of very many only some. */
    readonly names: ReadonlySet<string>;
    /** Whether a person has said where they stand; else a category that the tracker lacks is no reason to fail a row. */
    readonly areAskedFor: boolean;
  };
  /** How many of its amounts have a minus, where signs alone tell the side and nobody has said what they mean. */
  readonly openSigns?: {
    readonly minus: number;
    readonly other: number;
    /** A column that only files of cards have; undefined where there is none. */
    readonly cardHeader?: string | undefined;
  };
  /** Whether the file may have a row's own id more than once; absent in CSV, whose rows have no id. */
  mayRepeat?(statementId: string): boolean;
  rows(): AsyncIterable<StatementRow>;
  /**
   * Keeps by what its rows are known again, for later readings of files of its kind; to be called before the first is
   * recorded. Absent in formats that are read in one way only.
   */
  keepIdentity?(): Promise<void>;
  /** The headers of the columns by which its rows are known again; absent in formats that are read in one way only. */
  readonly identityHeaders?: readonly string[];
  /** How it will be read, for a person to see and confirm; null in formats that leave nothing open. */
  readonly reading: {
    /** What a person has to confirm, and how to settle it without one; null where nothing is in doubt. */
    readonly doubt: Doubt | null;
    /** One sentence about a wish that no row fits, instead of a failure for each; null where there is none. */
    readonly advice: string | null;
    readonly lines: readonly (readonly [label: string, value: string])[];
    /**
     * Keeps this reading for the next file with the same headers.
     * @throws UsageError (exit 2) in formats that have no headers
     */
    save(): Promise<void>;
  } | null;
}

/** What of a reading a person has to confirm, and how to settle it without one. */
export interface Doubt {
  readonly message: string;
  readonly remedy: string;
  /** Whether only an answer or the flags of the remedy settle it, and `--yes`, which accepts what is shown, does not. */
  readonly mustBeSaid?: boolean;
}

/** An account as a file tells of it. */
export interface StatementAccount {
  /** Its number, IBAN or name; the `accountName` of its rows. */
  readonly name: string;
  /** What the API calls its kind; null where the file does not say. */
  readonly type: 'checking' | 'savings' | 'credit_card' | 'loan' | 'cash' | 'investment' | 'other' | null;
  readonly currencyCode: string | null;
  readonly rowCount: number;
}

/** One entry of the registry. */
interface StatementFormat {
  readonly name: string;
  recognises(head: string): boolean;
  open(request: OpenStatementRequest): Promise<OpenedStatement>;
}

/** In the order of asking: CSV has no mark of its own, and is what remains. */
const formats: readonly StatementFormat[] = [
  { name: 'ofx', recognises: (head) => /^\s*(OFXHEADER\s*:|<\?OFX\b|<OFX>)|<\?OFX\b|<OFX>/i.test(head), open: openOfx },
  { name: 'qif', recognises: (head) => /^\s*!(Type|Account|Option|Clear)\s*:?/i.test(head), open: openQif },
  { name: 'camt053', recognises: (head) => /camt\.053|<(\w+:)?BkToCstmrStmt\b/.test(head), open: openCamt053 },
  { name: 'csv', recognises: () => true, open: openCsv },
];

/** The names that `--format` takes. */
export const formatNames: readonly string[] = ['csv', 'ofx', 'qif', 'camt053'];

/** What is no statement that can be read, but would be taken for a strange CSV file: a sentence tells what it is. */
const strangers: readonly { readonly what: string; recognises(head: string): boolean }[] = [
  { what: 'a PDF document', recognises: (head) => head.startsWith('%PDF-') },
  { what: 'a spreadsheet or a ZIP archive', recognises: (head) => head.startsWith('PK\u0003\u0004') },
  { what: 'a spreadsheet of Excel', recognises: (head) => head.startsWith('\u00d0\u00cf\u0011\u00e0') },
  { what: 'compressed', recognises: (head) => head.startsWith('\u001f\u008b') },
  { what: 'a web page', recognises: (head) => /^\s*<(!doctype\s+html|html)\b/i.test(head) },
  { what: 'an MT940 statement', recognises: (head) => /^\s*(\{1:|:20:|0000 01 |\S+\s+:20:)/.test(head) },
  {
    what: 'camt.052 or camt.054, which tell of payments that may change',
    recognises: (head) => /camt\.05[24]/.test(head),
  },
  {
    what: 'XML of another kind than CAMT.053 and OFX',
    recognises: (head) => /^\s*<(\?xml|!DOCTYPE|!--|\w+[\s>])/i.test(head),
  },
  { what: 'JSON', recognises: (head) => /^\s*[{[]\s*["{[\]}]/.test(head) },
];

async function detectFormat(path: string): Promise<StatementFormat | undefined> {
  const head = await peekText(path);
  const format = formats.find(
    // A QIF file may begin with its first transaction, which has no mark; its name tells.
    ({ name, recognises }) => name !== 'csv' && (recognises(head) || path.toLowerCase().endsWith(`.${name}`)),
  );
  if (format !== undefined) return format;
  const stranger = strangers.find(({ recognises }) => recognises(head));
  if (stranger !== undefined) {
    throw new UsageError(
      `${path} is ${stranger.what}, and is not read.`,
      'Export the statement as CSV, OFX, QIF or CAMT.053; --format says which where this is one all the same.',
    );
  }
  return formats.find(({ name }) => name === 'csv');
}
