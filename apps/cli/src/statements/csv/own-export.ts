import type { StatementTransaction } from '../statement-row.js';
import { canonicalHeader } from './csv-columns.js';

/** What only a file of `centavo movements export` tells of its rows. */
export interface OwnExport {
  /** For a half of a transfer, the group that it shares with the other half; for any other row the movement that it is. */
  readOrigin(cells: readonly string[]): Pick<StatementTransaction, 'transferGroupId' | 'movementId'>;
}

/** Recognises Centavo's own export by its headers. */
export function findOwnExport(headers: readonly string[]): OwnExport | undefined {
  const known = headers.map(canonicalHeader);
  const isOwn = ownHeaders.every((header) => known.includes(canonicalHeader(header)));
  if (!isOwn) return undefined;
  const [kind, group, id] = ['kind', 'transfergroupid', 'id'].map((name) => known.indexOf(name)) as [
    number,
    number,
    number,
  ];
  return {
    readOrigin: (cells) => {
      if (cells[kind]?.trim() === 'transfer') return { transferGroupId: cells[group]?.trim() ?? '' };
      const movementId = cells[id]?.trim() ?? '';
      return uuid.test(movementId) ? { movementId } : {};
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ownHeaders = ['occurredOn', 'type', 'kind', 'amountDecimal', 'currencyCode', 'accountName', 'transferGroupId'];

/** A text without the apostrophe that the export has put before what a spreadsheet would take for a formula. */
export function withoutGuard(text: string): string {
  return text.replace(/^'(?='*[=+\-@\t\r])/, '').trim();
}
