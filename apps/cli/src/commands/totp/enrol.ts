import { type FinancialClient, isStepUpRequiredError } from '@centavo/sdk';
import type { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { UsageError, withAdvice } from '../../errors.js';
import { chooseGlyphs, unicodeGlyphs } from '../../ui/frame.js';
import type { CommandContext } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import type { WriteFlags } from '../shared/flags.js';
import { submitCode, withStepUp } from '../shared/step-up.js';
import { sendWriteWithoutIdempotencyKey } from '../shared/write.js';

interface EnrolFlags extends WriteFlags {
  readonly code?: string;
}

/**
 * `centavo totp enrol`: prints the secret of a new authenticator app once. On a terminal, it also prints a QR code, and then asks for
 * the first code to confirm the app.
 */
export function addTotpEnrol(totp: Command, cli: Cli): void {
  defineCommand<EnrolFlags>(totp, cli, {
    usage: 'enrol',
    summary: 'Set up an authenticator app; its secret is printed once',
    examples: ['centavo totp enrol', 'centavo totp enrol -o json --no-input'],
    writes: 'withoutIdempotencyKey',
    options: (command) => command.option('--code <digits>', 'a code of the enrolled app, to replace that app'),
    act: async (context, flags) => {
      const { connection, printer, prompt } = context;
      if (flags.code !== undefined) await requireEnrolledApp(connection.client);
      const enrolment = await sendWriteWithoutIdempotencyKey(context, flags, {
        call: 'identity.enrolTotp',
        body: {},
        send: () =>
          withAdvice(
            withStepUp(context, flags.code, () => connection.client.identity.enrolTotp()),
            (error) =>
              isStepUpRequiredError(error) && error.method !== 'password'
                ? { remedy: 'Add --code with six digits of the enrolled authenticator app.' }
                : undefined,
          ),
      });
      if (enrolment === undefined) return;
      await printer.printRecord(enrolment, {
        columns: [
          { header: 'SECRET', value: ({ secret }) => secret },
          { header: 'URI', value: ({ otpauthUri }) => otpauthUri },
        ],
        fields: ['secret', 'otpauthUri'],
      });
      printer.note('If you ran "totp enrol" before and did not confirm the app, that earlier secret no longer works.');
      if (!prompt.isInteractive) {
        printer.note(`Add this secret to your app, then run ${confirmLater}.`);
        return;
      }
      showQrCode(context, enrolment.otpauthUri);
      printer.note(`To confirm the app later with the same secret, run ${confirmLater}.`);
      const code = await prompt.text('Add this secret to your app, then enter its code');
      await submitCode(connection, { purpose: 'confirm', code, isEnrolled: false });
      printer.note('The authenticator app is enrolled.');
    },
  });
}

/** Checks that an app is enrolled. @throws UsageError (exit 2) if none is enrolled, because then no code can be verified */
async function requireEnrolledApp(client: FinancialClient): Promise<void> {
  const { totpEnrolled } = await client.identity.me();
  if (totpEnrolled) return;
  throw new UsageError(
    'No authenticator app is enrolled, so --code cannot be verified.',
    `Run "centavo totp enrol" without --code; confirm the new app with ${confirmLater}.`,
  );
}

const confirmLater = '"centavo totp verify --confirm --code DIGITS" with its first code';

/** Prints the QR code on stderr, like the prompts. If the code cannot be printed, the user can enter the printed secret or URI. */
function showQrCode({ io, sources, printer }: CommandContext, otpauthUri: string): void {
  const { env, stderr } = io;
  if (chooseGlyphs(env) !== unicodeGlyphs) return;
  const noColor = sources.flags.color === false || (env.NO_COLOR ?? '') !== '';
  const code = renderQrCode(otpauthUri, { widthMax: stderr.columns || 80, noColor });
  if (code === undefined) printer.note('The QR code does not fit. Widen the terminal, or type the secret.');
  else stderr.write(code);
}

/**
 * Renders a text as a QR code of half-block characters, with two rows of modules (the squares of the code) per line. Cameras
 * need dark modules on a light background, so each line sets its colours. Without colours, cameras can read the code only on
 * a dark terminal, because the characters draw the light modules.
 *
 * @param options.widthMax columns of the terminal
 * @returns undefined if the terminal is too narrow, or the text too long for a QR code
 */
function renderQrCode(text: string, options: { widthMax: number; noColor: boolean }): string | undefined {
  if (text.length > textLengthMax) return undefined;
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  if (lines.some((line) => line.length > options.widthMax)) return undefined;
  return lines.map((line) => (options.noColor ? `${line}\n` : `\u001b[97;40m${line}\u001b[0m\n`)).join('');
}

/**
 * The number of bytes that the largest QR code can contain: version 40, lowest error correction
 * @source ISO/IEC 18004
 */
const textLengthMax = 2_953;
