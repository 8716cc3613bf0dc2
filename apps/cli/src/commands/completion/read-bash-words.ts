/**
 * The words of a line as bash would give them to a program. On TAB it gives them as they were typed, with their quotes,
 * and takes `:` and `=` for words of their own.
 */
export function readBashWords(typed: readonly string[]): readonly string[] {
  const words: string[] = [];
  let isGlued = false;
  for (const word of typed) {
    const isBreak = /^[:=]+$/.test(word);
    if ((isBreak || isGlued) && words.length > 0) words[words.length - 1] += unquote(word);
    else words.push(unquote(word));
    isGlued = isBreak;
  }
  return words;
}

/** Takes off quotes and backslashes; a quote that is still open is no mistake here. */
function unquote(word: string): string {
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)?/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single as string;
    return double === undefined ? (escaped ?? '') : (double as string).replace(/\\(["\\$`])/g, '$1');
  });
}
