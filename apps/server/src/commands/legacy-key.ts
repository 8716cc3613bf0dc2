import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { allScopes, createIntegrationClientBody } from '@centavo/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '../api-error.js';
import { createLegacyKey } from '../resources/credentials/index.js';
import { type CommandEnvironment, withOperatorDatabase } from './open-database.js';

const usage = `Usage: centavo-server legacy-key create --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
Without --tracker, the key may use every tracker that its user is a member of, now or later.
`;

/**
 * Runs `centavo-server legacy-key create`: creates an API key of the kind `legacy` for a user, and prints only its secret on stdout. The
 * key works like a key of the API before v1.1; the current API still accepts such keys. Without --tracker, the key may use all trackers
 * that the user is a member of.
 * @returns the exit code: 0 created, 1 failed, 2 wrong arguments
 * @source docs/contract.md, sections 2 and 10a
 */
export async function createLegacyKeyCommand(
  environment: CommandEnvironment,
  args: readonly string[],
): Promise<number> {
  const parsed = parseOptions(args);
  if (typeof parsed === 'string') {
    process.stderr.write(`${parsed}\n${usage}`);
    return 2;
  }
  // Progress goes to stderr, because a script reads the secret from stdout.
  const report = (line: string) => process.stderr.write(`${line}\n`);
  return withOperatorDatabase({ ...environment, report }, async (database, config) => {
    const secret = await database
      .transaction({ readOnly: false }, (tx) =>
        createLegacyKey(tx, {
          ...parsed,
          now: new Date(),
          newId: uuidv7,
          randomBytes,
          keyMaxValidityDays: config.keyMaxValidityDays,
        }),
      )
      .catch((error: unknown) => {
        throw explainUnknownUser(error, parsed.email);
      });
    process.stdout.write(`${secret}\n`);
    return 0;
  });
}

function parseOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
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
    // The rules for integration clients apply to legacy keys too. Both kinds may access all trackers of their user.
    const body = createIntegrationClientBody.safeParse({
      name: values.name,
      scopes: values.scopes?.split(','),
      ...(trackerIds === undefined ? {} : { access: { mode: 'selected', trackerIds } }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    if (body.success) return { email, body: body.data };
    const messages = body.error.issues.map((issue) => describeIssue(issue, values));
    return [...new Set(messages)].join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns a message that names an invalid option and the problem. For an invalid --scopes, the message also lists the valid scopes. */
function describeIssue(
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
    const unknown = values.scopes.split(',').filter((scope) => !(allScopes as readonly string[]).includes(scope));
    const problem =
      unknown.length === 0
        ? message
        : `${unknown.map((scope) => JSON.stringify(scope)).join(', ')} ${unknown.length === 1 ? 'is' : 'are'} unknown.`;
    return `--scopes: ${problem} The scopes are ${allScopes.join(', ')}.`;
  }
  if (field === 'access') {
    const given = values.tracker?.[Number(path[2])];
    return `--tracker${given === undefined ? '' : ` ${given}`}: ${message}`;
  }
  return `--${field === 'expiresAt' ? 'expires-at' : String(field)}: ${message}`;
}

/**
 * Replaces the error for an unknown user by one that names the e-mail address, because the error of the API does not name it. Returns any
 * other error unchanged.
 */
function explainUnknownUser(error: unknown, email: string): unknown {
  const isUnknown = error instanceof ApiError && error.code === 'NOT_FOUND' && error.details.resource === 'user';
  return isUnknown ? new Error(`There is no user with the e-mail address ${email}.`, { cause: error }) : error;
}
