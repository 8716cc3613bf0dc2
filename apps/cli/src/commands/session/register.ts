import { nameLengthMax } from '@centavo/contracts/calls';
import type { User } from '@centavo/sdk';
import type { Command } from 'commander';
import { connectWithoutToken } from '../../client/connect.js';
import { traceSettings } from '../../config/settings.js';
import { withAdvice } from '../../errors.js';
import type { RecordView } from '../../ui/table.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';
import { adviseIdentityProvider, type CredentialFlags, readEmail, readPassword } from './read-credentials.js';

interface RegisterFlags extends CredentialFlags {
  readonly displayName?: string;
}

/** `centavo register`: creates a user, if the server manages its own users and registration is open. */
export function addRegister(program: Command, cli: Cli): void {
  defineCommand<RegisterFlags>(program, cli, {
    usage: 'register',
    summary: 'Create a user with e-mail and password; then log in with "centavo login"',
    examples: [
      'centavo register --email ana@example.com',
      'centavo register --email ana@example.com --display-name Ana --password-stdin < password.txt',
    ],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .option('--email <address>', 'the address to log in with')
        .option('--display-name <name>', `your name as other members see it, up to ${nameLengthMax} characters`)
        .option('--password-stdin', 'read the password from standard input'),
    act: async (context, flags) => {
      const { settings, io, printer, profileName } = context;
      const email = await readEmail(context, flags);
      const named = flags.displayName === undefined ? {} : { displayName: flags.displayName };
      const user = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'identity.createUser',
        body: { email, password: '(redacted)', ...named },
        send: async () => {
          const password = await readPassword(context, flags, { repeated: true });
          const { identity } = connectWithoutToken(settings, io);
          return withAdvice(identity.createUser({ email, password, ...named }), adviseIdentityProvider);
        },
      });
      if (user === undefined) return;
      await printer.printRecord(user, userView);
      const profile = profileName === 'default' ? '' : ` --profile ${profileName}`;
      const isBaseUrlFromFlag = traceSettings(context.sources).baseUrl.origin === '--base-url';
      const server = isBaseUrlFromFlag ? ` --base-url ${settings.baseUrl}` : '';
      printer.note(`Log in with "centavo login --email ${user.email}${profile}${server}".`);
    },
  });
}

const userView: RecordView<User> = {
  columns: [
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'NAME', value: ({ displayName }) => displayName },
    { header: 'ID', value: ({ userId }) => userId },
  ],
  fields: ['userId', 'email', 'displayName', 'createdAt'],
};
