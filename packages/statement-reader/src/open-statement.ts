import { openCamt053 } from './camt053/open-camt053.js';
import { openCsv } from './csv/open-csv.js';
import { withoutTrailingNuls } from './encoding.js';
import { openOfx } from './ofx/open-ofx.js';
import type { OpenStatementRequest } from './options.js';
import { openQif } from './qif/open-qif.js';
import { peekText, type StatementSource } from './source.js';
import type { OpenedStatement } from './statement.js';
import { StatementError } from './statement-error.js';

/**
 * Opens a statement in the requested format. If no format is requested, the first bytes of the file or its extension decide. If
 * they show no format, the file is read as CSV.
 * @throws StatementError for an unknown format, `onlyAccounts` with CSV, a file of an unsupported kind, or a file that cannot be read
 */
export async function openStatement(
  request: OpenStatementRequest & { readonly format: string | undefined },
): Promise<OpenedStatement> {
  const requested = request.format;
  const format =
    requested === undefined ? await detectFormat(request.source) : formats.find(({ name }) => name === requested);
  if (format === undefined) {
    throw new StatementError(`--format ${requested} is not valid.`, `Use one of ${formatNames.join(', ')}.`);
  }
  if ((request.onlyAccounts ?? []).length > 0 && format.name === 'csv') {
    throw new StatementError(
      '--statement-account is not for CSV.',
      'Set the column of the accounts with --account-column.',
    );
  }
  return format.open({ ...request, source: await withoutTrailingNuls(request.source, request.csv.encoding) });
}

/** One supported format. */
interface StatementFormat {
  readonly name: string;
  recognises(head: string): boolean;
  open(request: OpenStatementRequest): Promise<OpenedStatement>;
}

/** The formats, in the order of detection. CSV has no signature and comes last. */
const formats: readonly StatementFormat[] = [
  { name: 'ofx', recognises: (head) => /^\s*(OFXHEADER\s*:|<\?OFX\b|<OFX>)|<\?OFX\b|<OFX>/i.test(head), open: openOfx },
  {
    name: 'qif',
    recognises: (head) => /^\s*(#[^\n]*\n\s*)*!(Type|Account|Option|Clear)\s*:?/i.test(head),
    open: openQif,
  },
  { name: 'camt053', recognises: (head) => /camt\.053|<(\w+:)?BkToCstmrStmt\b/.test(head), open: openCamt053 },
  { name: 'csv', recognises: () => true, open: openCsv },
];

/** The names of the supported formats. */
export const formatNames: readonly string[] = ['csv', 'ofx', 'qif', 'camt053'];

/** Formats that are refused. Without this list, such files would be read as CSV. */
const unsupportedFormats: readonly { readonly what: string; recognises(head: string): boolean }[] = [
  { what: 'a PDF document', recognises: (head) => head.startsWith('%PDF-') },
  { what: 'a spreadsheet or a ZIP archive', recognises: (head) => head.startsWith('PK\u0003\u0004') },
  { what: 'an Excel spreadsheet', recognises: (head) => head.startsWith('\u00d0\u00cf\u0011\u00e0') },
  { what: 'a compressed file', recognises: (head) => head.startsWith('\u001f\u008b') },
  { what: 'a web page', recognises: (head) => /^\s*<(!doctype\s+html|html)\b/i.test(head) },
  // Some banks write their own lines above the first field (`:20:`), so the pattern does not require it at the start of the file.
  { what: 'an MT940 statement', recognises: (head) => /^\s*(\{1:|:20:)|^:20:[\s\S]*^:25:/m.test(head) },
  {
    what: 'an account report (camt.052) or a notification (camt.054)',
    recognises: (head) => /camt\.05[24]/.test(head),
  },
  {
    what: 'an XML file of an unknown format',
    recognises: (head) => /^\s*<(\?xml|!DOCTYPE|!--|\w+[\s>])/i.test(head),
  },
  { what: 'JSON', recognises: (head) => /^\s*[{[]\s*["{[\]}]/.test(head) },
];

async function detectFormat(source: StatementSource): Promise<StatementFormat | undefined> {
  const head = await peekText(source);
  const format = formats.find(
    // A QIF file may begin with its first transaction, without any signature. So a file extension, such as `.qif`, is enough.
    ({ name, recognises }) => name !== 'csv' && (recognises(head) || source.name.toLowerCase().endsWith(`.${name}`)),
  );
  if (format !== undefined) return format;
  const unsupported = unsupportedFormats.find(({ recognises }) => recognises(head));
  if (unsupported !== undefined) {
    throw new StatementError(
      `${source.name} is ${unsupported.what}, which the import cannot read.`,
      'Export the statement as CSV, OFX, QIF or CAMT.053. If the file has one of these formats, set it with --format.',
    );
  }
  return formats.find(({ name }) => name === 'csv');
}
