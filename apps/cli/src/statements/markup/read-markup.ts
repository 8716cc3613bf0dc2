import { UsageError } from '../../cli-error.js';
import { readBytes } from '../csv/text-encoding.js';
import { cutToken } from './cut-token.js';

/** A piece of marked-up text; `raw` is as the file spells it, `line` where it begins, from 1. */
export type MarkupToken = { readonly raw: string; readonly line: number } & (
  | { readonly kind: 'open'; readonly name: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  /** `isLiteral`: it stood in a CDATA section, and its `&amp;` means `&amp;`. */
  | { readonly kind: 'text'; readonly text: string; readonly isLiteral: boolean }
);

/** No tag and no text of a statement is this long; the promise of a small memory would not hold. */
const tokenCharactersMax = 1_000_000;

/**
 * The tags and texts of an SGML or XML file, in the order of the file, in constant memory. Comments and processing
 * instructions are left out. It comes in batches, because a promise for each tag would cost more than the reading.
 *
 * A document type is refused: it could name other files, or define entities that grow beyond any memory, and no bank
 * writes one. A `<` that begins no tag is text, as careless banks mean it.
 *
 * @param encoding a label that `TextDecoder` knows
 * @throws UsageError (exit 2) for a file that cannot be read, has a document type, or is no marked-up text
 */
export async function* readMarkup(path: string, encoding: string): AsyncGenerator<readonly MarkupToken[]> {
  const decoder = new TextDecoder(encoding);
  const place = { line: 1 };
  let rest = '';
  for await (const chunk of readBytes(path)) {
    rest += decoder.decode(chunk, { stream: true });
    const batch: MarkupToken[] = [];
    rest = rest.slice(takeTokens(rest, { batch, place, path, isEnd: false }));
    yield batch;
    if (rest.length > tokenCharactersMax) {
      throw new UsageError(`${path} is not a statement: line ${place.line} has a tag without end.`, 'Export it again.');
    }
  }
  const batch: MarkupToken[] = [];
  takeTokens(rest + decoder.decode(), { batch, place, path, isEnd: true });
  yield batch;
}

/** @returns how many characters are done with; what is left begins a token whose end is not there yet */
function takeTokens(
  source: string,
  into: { batch: MarkupToken[]; place: { line: number }; path: string; isEnd: boolean },
): number {
  let position = 0;
  for (;;) {
    const cut = cutToken(source, position, into.isEnd);
    if (cut === undefined) return position;
    const raw = source.slice(position, cut.end);
    const { line } = into.place;
    if (cut.kind === 'declaration') {
      throw new UsageError(
        `${into.path}: a document type (${raw.slice(0, 9)}) stands in line ${line}, and is refused because it can load other files and fill the memory.`,
        'Export the statement again; no bank writes one.',
      );
    }
    if (cut.kind !== 'nothing') into.batch.push({ ...cut, raw, line });
    for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) into.place.line += 1;
    position = cut.end;
  }
}
