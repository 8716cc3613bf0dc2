import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { submitCode } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

interface VerifyFlags extends WriteFlags {
  readonly code?: string;
  readonly confirm?: boolean;
}

/**
 * `centavo totp verify`: verifies a one-time code, so that commands in the next minutes need no further code. With
 * `--confirm`, or if no authenticator app is enrolled, the code completes the enrolment that `totp enrol` has started.
 */
export function addTotpVerify(totp: Command, cli: Cli): void {
  defineCommand<VerifyFlags>(totp, cli, {
    usage: 'verify',
    summary: 'Verify a one-time code, or confirm a new authenticator app with its first code',
    examples: ['centavo totp verify --code 123456', 'centavo totp verify --confirm --code 123456'],
    writes: 'withoutIdempotencyKey',
    options: (command) =>
      command
        .option('--code <digits>', 'the six digits (default: prompt)')
        .option('--confirm', 'confirm a new app with its first code'),
    act: async (context, flags) => {
      const { connection, prompt, printer } = context;
      if (flags.code === undefined && !prompt.isInteractive) {
        throw new UsageError(
          '--code is missing, and the command cannot prompt (no terminal, or --no-input).',
          'Add --code with the six digits.',
        );
      }
      const code = flags.code ?? (await prompt.text('One-time code'));
      const { totpEnrolled: isEnrolled } = await connection.client.identity.me();
      const isConfirming = flags.confirm === true || !isEnrolled;
      const purpose = isConfirming ? 'confirm' : 'verify';
      await sendWriteWithoutIdempotencyKey(context, flags, {
        call: `identity.${purpose}Totp`,
        body: { code },
        send: async () => {
          await submitCode(connection, { purpose, code, isEnrolled });
          printer.note(isConfirming ? 'The authenticator app is enrolled.' : 'The code is correct.');
        },
      });
    },
  });
}
