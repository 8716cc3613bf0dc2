import { sealedPrefix } from '../config/encryption-keys.js';
import { forgetSealed } from '../database/discard-undecryptable.queries.js';
import { type CommandPlace, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server forget-sealed KEYID
The start that is refused names the key: sealed with it are signing keys and authenticators. Their users enrol anew.
`;

/**
 * `centavo-server forget-sealed KEYID`: the way back where a key of ENCRYPTION_KEY is lost. Deletes what nobody can open any
 * more; money, passwords and API keys stay.
 * @returns the exit code: 0 done, 1 where nothing is sealed with that key, 2 wrong words. Source: decision 0031
 */
export async function forgetSealedCommand(place: CommandPlace, words: readonly string[]): Promise<number> {
  const [keyId, surplus] = words;
  if (keyId === undefined || surplus !== undefined || !/^[\w-]{8}$/.test(keyId)) {
    process.stderr.write(`forget-sealed is followed by the 8 characters that name a key.\n${usage}`);
    return 2;
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...place, say }, async (database, config) => {
    if (config.encryptionKeys.some(({ id }) => id === keyId)) {
      say(`ENCRYPTION_KEY holds the key ${keyId}, so it is not lost: start the server.`);
      return 1;
    }
    const forgotten = await database.transaction({ readOnly: false }, (tx) => forgetSealed(tx, sealedPrefix(keyId)));
    const { signingKeys, authenticators } = forgotten;
    if (signingKeys + authenticators === 0) {
      say(`Nothing is encrypted with the key ${keyId}.`);
      return 1;
    }
    process.stdout.write(
      `Forgot what was encrypted with the key ${keyId}: signing keys ${signingKeys}, authenticators ${authenticators}.\n`,
    );
    return 0;
  });
}
