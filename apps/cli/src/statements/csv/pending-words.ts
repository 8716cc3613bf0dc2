/** Whether a date cell says, instead of a date, that the transaction is not final: banks change or drop such rows. */
export function isPendingWord(text: string): boolean {
  return pendingWords.has(text.trim().toLowerCase());
}

const pendingWords: ReadonlySet<string> = new Set([
  'pending',
  'processing',
  'authorised',
  'authorized',
  'vorgemerkt',
  'pendiente',
  'en attente',
  'in behandeling',
]);
