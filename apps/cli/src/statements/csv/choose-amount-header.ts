import { feeHeaders, grossAmountHeaders, netAmountHeaders, taxHeaders } from './header-dictionary.js';
import { headerWords } from './header-words.js';

/**
 * Where the amount stands in a file that tells it both gross and net; the place, from 0. Beside a tax the gross one is
 * what was paid, and beside a fee the net one is what the bank has moved. With neither, or with both, only a person
 * knows: `unclear`.
 *
 * @returns undefined where the headers tell of no such choice
 */
export function chooseGrossOrNet(headers: readonly string[]): number | 'unclear' | undefined {
  const known = headers.map(headerWords);
  const has = (words: ReadonlySet<string>) => known.some((header) => words.has(header));
  const [gross, net] = [grossAmountHeaders, netAmountHeaders].map((words) =>
    known.findIndex((header) => words.has(header)),
  ) as [number, number];
  const [hasTax, hasFee] = [has(taxHeaders), has(feeHeaders)];
  if (net === -1) return hasTax && !hasFee && gross !== -1 ? gross : undefined;
  if (hasTax) return hasFee || gross === -1 ? 'unclear' : gross;
  if (hasFee) return net;
  return gross === -1 ? undefined : 'unclear';
}
