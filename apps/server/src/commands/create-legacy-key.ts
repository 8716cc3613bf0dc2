import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createIntegrationClientBody } from '@centavo/contracts';
import { v7 as uuidv7 } from 'uuid';
import { createLegacyKey } from '../resources/credentials/index.js';
import { type CommandPlace, withOperatorDatabase } from './with-operator-database.js';

const usage = `Usage: centavo-server legacy-key create --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
`;

/**
 * `centavo-server legacy-key create`: makes a key of the interface before v1.1 for a user, and prints the secret alone on
 * stdout. Without --tracker it may use all the trackers that its owner is a member of.
 * @returns the exit code: 0 made, 1 refused, 2 wrong words. Source: contract, sections 2 and 10a
 */
export async function createLegacyKeyCommand(place: CommandPlace, words: readonly string[]): Promise<number> {
  const asked = readWords(words);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${usage}`);
    return 2;
  }
  // Progress goes to stderr: a script takes the secret from stdout.
  const say = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...place, say }, async (database, config) => {
    const secret = await database.transaction({ readOnly: false }, (tx) =>
      createLegacyKey(tx, {
        ...asked,
        now: new Date(),
        newId: uuidv7,
        randomBytes,
        keyMaxValidityDays: config.keyMaxValidityDays,
      }),
    );
    process.stdout.write(`${secret}\n`);
    return 0;
  });
}

function readWords(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        scopes: { type: 'string' },
        tracker: { type: 'string', multiple: true },
        'expires-at': { type: 'string' },
      },
    });
    if (values.email === undefined) return '--email is missing.';
    const { email, tracker: trackerIds, 'expires-at': expiresAt } = values;
    const body = createIntegrationClientBody.safeParse({
      name: values.name,
      scopes: values.scopes?.split(','),
      ...(trackerIds === undefined ? {} : { access: { mode: 'selected', trackerIds } }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    if (body.success) return { email, body: body.data };
    return body.error.issues.map((issue) => `--${flagOf(issue.path)}: ${issue.message}`).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

function flagOf(path: readonly PropertyKey[]): string {
  const [field] = path;
  return field === 'access' ? 'tracker' : field === 'expiresAt' ? 'expires-at' : String(field);
}
