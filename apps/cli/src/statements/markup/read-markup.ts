import { UsageError } from '../../errors.js';
import { readBytes } from '../csv/text-encoding.js';
import { cutToken } from './cut-token.js';

/** A piece of marked-up text; `raw` is as the file spells it, `line` where it begins, from 1. */
export type MarkupToken = { readonly raw: string; readonly line: number } & (
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  /** `isLiteral`: it stood in a CDATA section, and its `&amp;` means `&amp;`. */
  | { readonly kind: 'text'; readonly text: string; readonly isLiteral: boolean }
);

/** No tag and no text of a statement is this long; the promise of a small memory would not hold. */
const tokenCharactersMax = 1_000_000;

/**
 * The tags and texts of an SGML or XML file, in the order of the file, in constant memory. Comments and processing
 * instructions are left out. It comes in batches, each to be gone through before the next is asked for, because a
 * promise for each tag would cost more than the reading; the tokens of a batch are made one by one, because thousands
 * that live at once would cost as much again to collect.
 *
 * A document type is refused: it could name other files, or define entities that grow beyond any memory, and no bank
 * writes one. A `<` that begins no tag is text, as careless banks mean it.
 *
 * @param encoding a label that `TextDecoder` knows
 * @throws UsageError (exit 2) for a file that cannot be read, has a document type, or is no marked-up text
 */
export async function* readMarkup(path: string, encoding: string): AsyncGenerator<Iterable<MarkupToken>> {
  const decoder = new TextDecoder(encoding);
  const state = { path, rest: '', line: 1 };
  for await (const chunk of readBytes(path)) {
    state.rest += decoder.decode(chunk, { stream: true });
    yield takeTokens(state, false);
    if (state.rest.length > tokenCharactersMax) {
      throw new UsageError(`${path} is not a statement: line ${state.line} has a tag without end.`, 'Export it again.');
    }
  }
  state.rest += decoder.decode();
  yield takeTokens(state, true);
}

/** Takes the whole tokens off the rest; what is left of it begins one whose end is not there yet. */
function* takeTokens(state: { path: string; rest: string; line: number }, isEnd: boolean): Generator<MarkupToken> {
  const source = state.rest;
  let position = 0;
  for (let cut = cutToken(source, 0, isEnd); cut !== undefined; cut = cutToken(source, position, isEnd)) {
    const raw = source.slice(position, cut.end);
    const { line } = state;
    if (cut.kind === 'declaration') {
      throw new UsageError(
        `${state.path}: a document type (${raw.slice(0, 9)}) stands in line ${line}, and is refused because it can load other files and fill the memory.`,
        'Export the statement again; no bank writes one.',
      );
    }
    for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) state.line += 1;
    position = cut.end;
    if (cut.kind === 'text') yield { kind: 'text', text: cut.text, isLiteral: cut.isLiteral, raw, line };
    else if (cut.kind === 'close') yield { kind: 'close', name: cut.name, raw, line };
    else if (cut.kind === 'open') {
      yield { kind: 'open', name: cut.name, attributes: cut.attributes, isEmpty: cut.isEmpty, raw, line };
    }
  }
  state.rest = source.slice(position);
}
