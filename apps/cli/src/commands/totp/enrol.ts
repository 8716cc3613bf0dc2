import type { Command } from 'commander';
import { addCommand, type Cli } from '../add-command.js';
import { withStepUp } from '../with-step-up.js';
import { giveCode } from './give-code.js';

interface EnrolFlags {
  readonly code?: string;
}

/** `centavo totp enrol`: prints the seed once; on a terminal it goes on to confirm it with a first code. */
export function addTotpEnrol(totp: Command, cli: Cli): void {
  addCommand<EnrolFlags>(totp, cli, {
    usage: 'enrol',
    summary: 'Set up an authenticator app; its seed is printed once',
    examples: ['centavo totp enrol', 'centavo totp enrol -o json --no-input'],
    options: (command) => command.option('--code <digits>', 'a code of the app that is enrolled now, to replace it'),
    act: async (invocation, flags) => {
      const { connection, printer, asker } = invocation;
      const enrolment = await withStepUp(invocation, flags.code, () => connection.client.identity.enrolTotp());
      await printer.printRecord(enrolment, {
        columns: [
          { header: 'SECRET', value: ({ secret }) => secret },
          { header: 'URI', value: ({ otpauthUri }) => otpauthUri },
        ],
        fields: ['secret', 'otpauthUri'],
      });
      if (!asker.canAsk) {
        printer.note(`Add it to your app, then run ${confirmLater}.`);
        return;
      }
      printer.note(`To confirm it later, without a new seed: ${confirmLater}.`);
      const code = await asker.askText('Add it to your app; its code now');
      await giveCode(connection, { purpose: 'confirm', code, isEnrolled: false });
      printer.note('The authenticator app is enrolled.');
    },
  });
}

const confirmLater = '"centavo totp verify --confirm --code DIGITS" with its first code';
