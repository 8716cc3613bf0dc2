import type { CreatedCredential } from '@centavo/sdk';
import type { Printer } from '../../ui/printer.js';
import { credentialView } from './credential-view.js';

/**
 * Prints a new secret, the only time that it is told: alone on stdout in `table`, so that `KEY=$(…)` works, and with its
 * record in the other formats. What else there is to say goes to stderr.
 *
 * @param noun what it is, for the message: `key`
 */
export async function printSecret(printer: Printer, credential: CreatedCredential, noun: string): Promise<void> {
  if (printer.format !== 'table') {
    await printer.printRecord(credential, { columns: [], fields: [...credentialView.fields, 'secret'] });
    return;
  }
  await printer.printLine(credential.secret);
  const { name, clientId, expiresAt } = credential;
  printer.note(`The ${noun} ${name} (${clientId}) ends on ${expiresAt}. Keep it: it is not shown again.`);
}
