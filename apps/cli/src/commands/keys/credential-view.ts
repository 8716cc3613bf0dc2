import type { CreatedCredential, Credential } from '@centavo/sdk';
import type { Printer } from '../../ui/printer.js';
import type { RecordView } from '../../ui/table.js';

/** The view of credentials: API keys and integration clients. */
export const credentialView: RecordView<Credential> = {
  columns: [
    { header: 'NAME', value: (key) => key.name, flexible: true },
    { header: 'STATUS', value: (key) => key.status },
    { header: 'LAST 4', value: (key) => key.secretLast4, droppable: 'last' },
    { header: 'EXPIRES', value: (key) => key.expiresAt.slice(0, 10) },
    { header: 'LAST USED', value: (key) => key.lastUsedAt?.slice(0, 10) ?? 'never', droppable: 'last' },
    { header: 'ACCESS', value: (key) => describeAccess(key.access), droppable: 'last' },
    { header: 'SCOPES', value: (key) => key.scopes.join(' '), flexible: true, droppable: 'last' },
    { header: 'ID', value: (key) => key.clientId, droppable: true },
  ],
  fields: [
    'clientId',
    'kind',
    'name',
    'scopes',
    'access',
    'defaultTrackerId',
    'secretPrefix',
    'secretLast4',
    'status',
    'expiresAt',
    'lastUsedAt',
    'rotatedFrom',
    'createdAt',
    'revokedAt',
  ],
};

function describeAccess(access: Credential['access']): string {
  if (access.mode !== 'selected') return access.mode.replaceAll('_', ' ');
  const count = access.trackerIds.length;
  return `${count} ${count === 1 ? 'tracker' : 'trackers'}`;
}

/**
 * Prints a new secret, which cannot be shown again. In the format `table`, stdout contains only the secret, so that
 * `KEY=$(…)` works. The other formats print the record with the secret. Notes go to stderr.
 *
 * @param noun the kind of credential as the message names it, for example `key`
 */
export async function printSecret(printer: Printer, credential: CreatedCredential, noun: string): Promise<void> {
  if (printer.format !== 'table') {
    await printer.printRecord(credential, { columns: [], fields: [...credentialView.fields, 'secret'] });
    return;
  }
  await printer.printLine(credential.secret);
  const { name, clientId, expiresAt } = credential;
  printer.note(
    `The ${noun} ${name} (${clientId}) expires on ${expiresAt}. Store its secret now: it is not shown again.`,
  );
}
