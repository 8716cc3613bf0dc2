import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createIntegrationClientBody, scopes } from '@centavo/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '../api-error.js';
import { createLegacyKey } from '../resources/credentials/index.js';
import { type CommandPlace, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server legacy-key create --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
Without --tracker the key may use every tracker that its user is a member of, later ones too.
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
    const secret = await database
      .transaction({ readOnly: false }, (tx) =>
        createLegacyKey(tx, {
          ...asked,
          now: new Date(),
          newId: uuidv7,
          randomBytes,
          keyMaxValidityDays: config.keyMaxValidityDays,
        }),
      )
      .catch((error: unknown) => {
        throw explain(error, asked.email);
      });
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
    const mistakes = body.error.issues.map((issue) => mistakeOf(issue, values));
    return [...new Set(mistakes)].join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

/** One sentence with the flag and, where a word in it is wrong, that word and what it may be. */
function mistakeOf(
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  values: {
    readonly name?: string | undefined;
    readonly scopes?: string | undefined;
    readonly tracker?: string[] | undefined;
  },
): string {
  const [field] = path;
  if (field === 'name' && values.name === undefined) return '--name is missing.';
  if (field === 'scopes') {
    if (values.scopes === undefined) return '--scopes is missing.';
    const unknown = values.scopes.split(',').filter((scope) => !(scopes as readonly string[]).includes(scope));
    const mistake =
      unknown.length === 0 ? message : `${unknown.map((scope) => JSON.stringify(scope)).join(', ')} is unknown`;
    return `--scopes: ${mistake}. The scopes are ${scopes.join(', ')}.`;
  }
  if (field === 'access') {
    const given = values.tracker?.[Number(path[2])];
    return `--tracker${given === undefined ? '' : ` ${given}`}: ${message}`;
  }
  return `--${field === 'expiresAt' ? 'expires-at' : String(field)}: ${message}`;
}

/** The operator may know who is a user; the API, whose words these are, never says so. */
function explain(error: unknown, email: string): unknown {
  const isUnknown = error instanceof ApiError && error.code === 'NOT_FOUND' && error.details.resource === 'user';
  return isUnknown ? new Error(`There is no user with the e-mail address ${email}.`, { cause: error }) : error;
}
