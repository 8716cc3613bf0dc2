/**
 * The limits of the API for `description` and `merchantName`, in code points.
 * @source docs/contract.md, section 4
 */
export const descriptionCharactersMax = 500;
export const merchantCharactersMax = 200;

/**
 * Returns a text on one line, with one space for each run of spaces and control characters. Cuts the text to the limit of
 * the API, so that a row with a long remittance text does not fail.
 *
 * @param charactersMax in code points, as the API counts
 * @returns null if no text is left
 */
export function tidyText(text: string | undefined, charactersMax: number): string | null {
  const tidy = (text ?? '').replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return tidy === '' ? null : cutText(tidy, charactersMax);
}

/** Cuts a text to a number of code points. If the result ends with spaces, removes them. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const characters = [...text];
  return characters.length <= charactersMax ? text : characters.slice(0, charactersMax).join('').trimEnd();
}

/**
 * Returns the id that the bank gave a row. Returns null if the id is empty, only zeros or a placeholder, such as `NONREF`
 * and `NOTPROVIDED` in banking standards. A row without an id is identified by its content.
 */
export function toStatementId(text: string | undefined): string | null {
  const id = text?.trim() ?? '';
  return /^(0*|NONREF|NOT ?PROVIDED|NONE|N\/A|UNKNOWN)$/i.test(id) ? null : id;
}

/**
 * Collects at most 1000 categories of a file, to limit the memory. A column with more than 1000 different texts does not
 * contain categories.
 */
export class CategoryNames {
  readonly #names = new Set<string>();

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  add(name: string): void {
    if (name !== '' && this.#names.size < namesMax) this.#names.add(name);
  }
}

const namesMax = 1000;
