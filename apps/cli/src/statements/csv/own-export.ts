import type { StatementTransaction } from '../statement-row.js';
import { canonicalHeader } from './csv-columns.js';

/** What only a file of `centavo movements export` tells of its rows. */
export interface OwnExport {
  /** For a half of a transfer, the group that it shares with the other half; nothing for any other row. */
  joinHalves(cells: readonly string[]): Pick<StatementTransaction, 'transferGroupId'>;
}

/** Recognises Centavo's own export by its headers. */
export function findOwnExport(headers: readonly string[]): OwnExport | undefined {
  const known = headers.map(canonicalHeader);
  const isOwn = ownHeaders.every((header) => known.includes(canonicalHeader(header)));
  if (!isOwn) return undefined;
  const [kind, group] = [known.indexOf('kind'), known.indexOf('transfergroupid')];
  return {
    joinHalves: (cells) => (cells[kind]?.trim() === 'transfer' ? { transferGroupId: cells[group]?.trim() ?? '' } : {}),
  };
}

const ownHeaders = ['occurredOn', 'type', 'kind', 'amountDecimal', 'currencyCode', 'accountName', 'transferGroupId'];

/** A text without the apostrophe that the export has put before what a spreadsheet would take for a formula. */
export function withoutGuard(text: string): string {
  return text.replace(/^'(?=[=+\-@\t\r])/, '').trim();
}
