import type { ApiResponse } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';
import type { CommandContext } from './context.js';

/**
 * The response to a write that the server only tries, because the request has `dryRun=true`. Values that the write would
 * generate, such as an id, are null.
 */
export type PreviewResponse = Pick<ApiResponse<object>, 'data' | 'meta' | 'replayed'>;

interface Preview {
  readonly preview: true;
  readonly data: object;
  /** Null if the caller may not read balances. */
  readonly balances: readonly BalanceEffect[] | null;
}

type BalanceEffect = NonNullable<NonNullable<NonNullable<ApiResponse<object>['meta']>['effects']>['balances']>[number];

/** Prints the record that a write would return, and the balances that it would change. */
export async function printPreview({ printer }: CommandContext, response: PreviewResponse): Promise<void> {
  const { data, meta, replayed } = response;
  const balances = meta?.effects?.balances ?? null;
  printer.note(
    replayed
      ? 'Preview: a write with this idempotency key was recorded before. Sending it again changes nothing.'
      : 'Preview: the server tried this write and rolled it back. Nothing was recorded.',
  );
  const preview: Preview = { preview: true, data, balances };
  await printer.printRecord(preview, { columns: columnsOf(data), fields: ['preview', 'data', 'balances'] });
  if (printer.format !== 'table') return;
  if (balances === null) printer.note('This credential may not read balances, so their changes are not shown.');
  else if (balances.length > 0) await printer.printRecords(balances, effectView);
}

/**
 * Returns the columns of the table: one for each field, except fields with null, an object or a list. The header is the name of the
 * field, in separate words: `AMOUNT DECIMAL` for `amountDecimal`. The output formats json, jsonl and csv contain all fields.
 */
function columnsOf(data: object): RecordView<Preview>['columns'] {
  return Object.entries(data)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([field, value]) => ({
      header: field.replace(/([A-Z])/g, ' $1').toUpperCase(),
      value: () => String(value),
    }));
}

const effectView: RecordView<BalanceEffect> = {
  columns: [
    { header: 'CASHBOX', value: ({ cashboxId }) => cashboxId },
    { header: 'BALANCE BEFORE', value: ({ beforeDecimal }) => beforeDecimal, align: 'right' },
    { header: 'AFTER', value: ({ afterDecimal }) => afterDecimal, align: 'right' },
    { header: 'CURRENCY', value: ({ currencyCode }) => currencyCode },
  ],
  fields: ['cashboxId', 'beforeDecimal', 'afterDecimal', 'currencyCode'],
};
