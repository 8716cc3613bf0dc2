import { UsageError } from '../../errors.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import type { CommandContext as Invocation } from '../shared/context.js';
import type { ImportFlags } from './import-flags.js';

/**
 * Shows how a statement is going to be read, and has a person confirm it where date or amount were guessed, or nothing
 * tells expense from income. What was confirmed, or is to be kept with `--save-mapping`, is saved for the next file with
 * these headers. A dry run records nothing, so it only shows. `--yes` accepts what is shown, but not what has to be said.
 *
 * @param told.categories what is to be said of the categories of the file
 * @param told.beforeAsking refuses what no answer could mend, such as an account that there is not
 * @throws UsageError (exit 2) when it is not confirmed, or nobody can be asked; what `beforeAsking` throws
 */
export async function confirmReading(
  statement: OpenedStatement,
  told: {
    invocation: Invocation;
    flags: ImportFlags;
    categories: string | undefined;
    beforeAsking: () => Promise<unknown>;
  },
): Promise<void> {
  const { reading } = statement;
  if (reading === null) return;
  const { invocation, flags, categories } = told;
  const { printer, prompt } = invocation;
  const { doubt } = reading;
  const isAccepted = flags.yes === true && doubt?.mustBeSaid !== true;
  const mustAsk = doubt !== null && !isAccepted && flags.dryRun !== true;
  const say = mustAsk ? (text: string) => printer.warn(text) : (text: string) => printer.note(text);
  const lines = [...reading.lines, ...(categories === undefined ? [] : [['categories', categories] as const])];
  const width = Math.max(...lines.map(([label]) => label.length));
  for (const [label, value] of lines) say(`  ${label.padEnd(width)}  ${value}`);
  if (mustAsk) {
    // `--yes` says that nobody is going to be asked, and is no answer to what has to be said.
    if (flags.yes === true) throw new UsageError(doubt.message, doubt.remedy);
    if (!prompt.isInteractive) throw new UsageError(`${doubt.message} Nobody can be asked here.`, doubt.remedy);
    await told.beforeAsking();
    if (doubt.mustBeSaid === true) printer.warn(doubt.message);
    if (
      !(await prompt.confirm(
        'Is this how the file is to be read? Yes also keeps it for the next file with these headers',
      ))
    ) {
      throw new UsageError('Nothing was recorded.', 'Name the columns with flags such as --date-column.');
    }
  }
  if (mustAsk || (flags.saveMapping === true && flags.dryRun !== true)) {
    await reading.save();
    printer.note('Saved for the next file with these headers.');
  }
}
