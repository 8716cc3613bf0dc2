import { isUuid } from '@centavo/contracts/calls';
import type { CreatedWebhook, FinancialClient, Webhook, WebhookDelivery } from '@centavo/sdk';
import type { Printer } from '../../ui/printer.js';
import type { Column, RecordView } from '../../ui/table.js';
import { chooseByName } from '../shared/choose-by-name.js';

/** The view of webhook endpoints in lists. */
export const webhookView: RecordView<Webhook> = {
  columns: [
    { header: 'URL', value: (webhook) => webhook.url, flexible: true, roomy: true },
    { header: 'STATUS', value: describeStatus },
    { header: 'EVENTS', value: (webhook) => webhook.eventTypes.join(' '), flexible: true, droppable: 'last' },
    { header: 'PAYLOAD', value: (webhook) => webhook.payload, droppable: true },
    { header: 'BEHIND', value: (webhook) => String(webhook.lagSequence), align: 'right', droppable: 'last' },
    { header: 'LAST SUCCESS', value: (webhook) => toMinute(webhook.lastSuccessAt) ?? 'never', droppable: 'last' },
    { header: 'ID', value: (webhook) => webhook.id, droppable: true },
  ],
  fields: [
    'id',
    'trackerId',
    'url',
    'description',
    'eventTypes',
    'payload',
    'excludeOwnWrites',
    'maxInFlight',
    'status',
    'disabledReason',
    'owner',
    'cursorSequence',
    'lagSequence',
    'failingSince',
    'lastSuccessAt',
    'secretLast4',
    'createdAt',
    'updatedAt',
  ],
};

/** The view of one webhook endpoint, with the columns that the table of a list omits. */
export const webhookDetailView: RecordView<Webhook> = {
  ...webhookView,
  columns: [
    ...webhookView.columns,
    { header: 'DESCRIPTION', value: (webhook) => webhook.description },
    { header: 'OWN WRITES', value: (webhook) => (webhook.excludeOwnWrites ? 'exclude' : 'include') },
    { header: 'MAX IN FLIGHT', value: (webhook) => String(webhook.maxInFlight) },
    { header: 'FAILING SINCE', value: (webhook) => toMinute(webhook.failingSince) },
    { header: 'OWNER', value: (webhook) => `${webhook.owner.type} ${webhook.owner.id}` },
    { header: 'LAST 4', value: (webhook) => webhook.secretLast4 },
  ] satisfies readonly Column<Webhook>[],
};

/** The view of deliveries to a webhook endpoint. */
export const deliveryView: RecordView<WebhookDelivery> = {
  columns: [
    { header: 'CREATED', value: (delivery) => toMinute(delivery.createdAt), droppable: 'last' },
    { header: 'SEQUENCE', value: (delivery) => delivery.sequence?.toString() ?? '', align: 'right' },
    { header: 'TYPE', value: (delivery) => delivery.type },
    { header: 'STATUS', value: (delivery) => delivery.status },
    { header: 'ATTEMPTS', value: (delivery) => String(delivery.attempts), align: 'right', droppable: 'last' },
    { header: 'LAST', value: (delivery) => delivery.lastStatus?.toString() ?? delivery.lastError },
    { header: 'NEXT', value: (delivery) => toMinute(delivery.nextAttemptAt), droppable: 'last' },
    { header: 'ID', value: (delivery) => delivery.id },
  ],
  fields: [
    'id',
    'eventId',
    'sequence',
    'type',
    'status',
    'attempts',
    'nextAttemptAt',
    'lastStatus',
    'lastError',
    'createdAt',
    'completedAt',
  ],
};

/**
 * Prints the new secret of an endpoint. The secret cannot be shown again. In the format `table`, stdout contains only the
 * secret, so that `SECRET=$(…)` works. The other formats print the record with the secret. Notes go to stderr.
 */
export async function printWebhookSecret(printer: Printer, webhook: CreatedWebhook): Promise<void> {
  if (printer.format !== 'table') {
    await printer.printRecord(webhook, { columns: [], fields: [...webhookView.fields, 'secret'] });
    return;
  }
  await printer.printLine(webhook.secret);
  printer.note(`This is the secret of ${webhook.url} (${webhook.id}). Store it now: it is not shown again.`);
}

/**
 * Returns the endpoint whose id, URL or description is `wanted`, or whose secret ends with `wanted` (four characters).
 * @throws UnknownNameError (exit 5), UsageError (exit 2) as `chooseByName` does
 */
export async function requireWebhook(client: FinancialClient, wanted: string): Promise<Webhook> {
  if (isUuid(wanted)) return client.webhooks.get(wanted);
  const { data: webhooks } = await client.webhooks.list();
  const records = webhooks.map((webhook) => ({
    id: webhook.id,
    name: webhook.url,
    aliases: [webhook.description ?? '', webhook.secretLast4],
    detail: describeStatus(webhook),
    webhook,
  }));
  return chooseByName({ noun: 'webhook', wanted, records }).webhook;
}

function describeStatus({ status, disabledReason }: Webhook): string {
  return disabledReason === null ? status : `${status} (${disabledReason.replaceAll('_', ' ')})`;
}

function toMinute(time: string | null): string | null {
  return time === null ? null : time.slice(0, 16).replace('T', ' ');
}
