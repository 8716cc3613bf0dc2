import { ciphertextPrefix } from '../config/encryption-keys.js';
import { discardUndecryptable } from '../database/discard-undecryptable.queries.js';
import { type CommandEnvironment, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server discard-undecryptable KEYID
Deletes the signing keys, authenticators and webhook secrets that were encrypted with a lost key.
Users must enrol the deleted authenticators again.
Pauses the webhook endpoints whose current secret was deleted. Rotate their secrets.
KEYID is the ID of the lost key. A server that cannot start without this key prints the ID in its error message.
`;

/**
 * Runs `centavo-server discard-undecryptable KEYID`, for use after a key from ENCRYPTION_KEY was lost. Deletes the secrets that can no
 * longer be decrypted, and pauses the webhook endpoints whose current secret is lost. Financial data, passwords and API keys are not
 * changed.
 * @returns the exit code: 0 done; 1 if no secret is encrypted with that key, if ENCRYPTION_KEY still contains the key, or if the command
 *   fails; 2 for wrong arguments
 * @source decision 0031
 */
export async function discardUndecryptableCommand(
  environment: CommandEnvironment,
  args: readonly string[],
): Promise<number> {
  const [keyId, surplus] = args;
  if (keyId === undefined || surplus !== undefined || !/^[\w-]{8}$/.test(keyId)) {
    process.stderr.write(`discard-undecryptable takes one argument, the 8-character ID of the key.\n${usage}`);
    return 2;
  }
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...environment, report }, async (database, config) => {
    if (config.encryptionKeys.some(({ id }) => id === keyId)) {
      report(`ENCRYPTION_KEY has the key ${keyId}, so it is not lost. Start the server.`);
      return 1;
    }
    const discarded = await database.transaction({ readOnly: false }, (tx) =>
      discardUndecryptable(tx, ciphertextPrefix(keyId)),
    );
    const { signingKeys, authenticators, webhooks } = discarded;
    if (signingKeys + authenticators + webhooks === 0) {
      report(`Nothing is encrypted with the key ${keyId}.`);
      return 1;
    }
    process.stdout.write(
      `Discarded the secrets encrypted with the key ${keyId}: signing keys ${signingKeys}, ` +
        `authenticators ${authenticators}, webhook endpoints ${webhooks}.\n`,
    );
    return 0;
  });
}
