import type { StatementSource } from '../source.js';
import { StatementError } from '../statement-error.js';

/** A tag or a text; `raw` contains its characters exactly as in the file, and `line` the number of its first line, from 1. */
export type MarkupToken = { readonly raw: string; readonly line: number } & (
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  /** `isLiteral`: the text comes from a CDATA section, so its entities are not decoded. */
  | { readonly kind: 'text'; readonly text: string; readonly isLiteral: boolean }
);

/** The maximum length of an incomplete tag or text, to limit the memory. No statement has a longer tag or text. */
const tokenCharactersMax = 1_000_000;

/**
 * Yields the tags and texts of an SGML or XML file in constant memory, without comments and processing instructions. The tokens come in
 * batches, because a promise for each tag would take longer than the parsing. Each batch is lazy, because garbage collection of thousands
 * of live tokens would double the time. So read each batch to its end before you request the next batch.
 *
 * The function refuses a document type declaration (DOCTYPE), which could load other files or define entities that fill the memory. Banks
 * do not write DOCTYPE. A `<` that does not begin a tag is text, because some banks do not escape it.
 * @param encoding a label that `TextDecoder` supports
 * @throws StatementError if the file cannot be read, has a document type declaration, or has a tag or text of more than a million
 *   characters
 */
export async function* readMarkup(source: StatementSource, encoding: string): AsyncGenerator<Iterable<MarkupToken>> {
  const decoder = new TextDecoder(encoding);
  const state = { source, rest: '', line: 1 };
  for await (const chunk of source.read()) {
    state.rest += decoder.decode(chunk, { stream: true });
    yield takeTokens(state, false);
    if (state.rest.length > tokenCharactersMax) {
      throw new StatementError(
        `${source.name} is not a statement: line ${state.line} begins a tag or text of more than a million characters.`,
        'Export the statement again.',
      );
    }
  }
  state.rest += decoder.decode();
  yield takeTokens(state, true);
}

/** Yields the complete tokens and leaves the incomplete rest in `state.rest`. */
function* takeTokens(
  state: { source: StatementSource; rest: string; line: number },
  isEnd: boolean,
): Generator<MarkupToken> {
  const source = state.rest;
  let position = 0;
  for (let token = readToken(source, 0, isEnd); token !== undefined; token = readToken(source, position, isEnd)) {
    const raw = source.slice(position, token.end);
    const { line } = state;
    if (token.kind === 'declaration') {
      throw new StatementError(
        `${state.source.name}: a document type (${raw.slice(0, 9)}) in line ${line} is refused, because it can load other files and fill the memory.`,
        'Export the statement again. Banks do not write document types.',
      );
    }
    for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) state.line += 1;
    position = token.end;
    if (token.kind === 'text') yield { kind: 'text', text: token.text, isLiteral: token.isLiteral, raw, line };
    else if (token.kind === 'close') yield { kind: 'close', name: token.name, raw, line };
    else if (token.kind === 'open') {
      yield { kind: 'open', name: token.name, attributes: token.attributes, isEmpty: token.isEmpty, raw, line };
    }
  }
  state.rest = source.slice(position);
}

/** The token at a position of the source, and the position after it. */
export type RawToken = { readonly end: number } & (
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly isLiteral: boolean }
  /** `<!DOCTYPE`, `<!ENTITY` and other markup that begins with `<!`, except comments and CDATA sections. */
  | { readonly kind: 'declaration' }
  /** A comment or a processing instruction. */
  | { readonly kind: 'nothing' }
);

/**
 * Reads the token at a position.
 * @param isEnd whether the file ends where `source` ends; if not, a token that may continue after the end of `source` is not returned
 * @returns undefined if there is no complete token
 */
export function readToken(source: string, position: number, isEnd: boolean): RawToken | undefined {
  if (position >= source.length) return undefined;
  if (source.charCodeAt(position) !== lessThan) return readText(source, position, isEnd);
  plainTag.lastIndex = position;
  const plain = plainTag.exec(source);
  if (plain !== null) {
    const [, slash, name = ''] = plain;
    if (slash === '/') return { kind: 'close', name, end: plainTag.lastIndex };
    return { kind: 'open', name, attributes: '', isEmpty: false, end: plainTag.lastIndex };
  }
  if (!isEnd && source.length - position < beginningLengthMax) return undefined;
  for (const [beginning, ending, kind] of sections) {
    if (source.startsWith(beginning, position))
      return readSection(source, { position, beginning, ending, kind, isEnd });
  }
  if (source[position + 1] === '!') return { kind: 'declaration', end: Math.min(position + 40, source.length) };
  tag.lastIndex = position;
  const found = tag.exec(source);
  if (found === null) {
    unfinishedTag.lastIndex = position;
    return !isEnd && unfinishedTag.test(source) ? undefined : readText(source, position, isEnd);
  }
  const [, slash, name = '', attributes = ''] = found;
  if (slash === '/') return { kind: 'close', name, end: tag.lastIndex };
  return { kind: 'open', name, attributes, isEmpty: attributes.endsWith('/'), end: tag.lastIndex };
}

const sections = [
  ['<!--', '-->', 'nothing'],
  ['<![CDATA[', ']]>', 'text'],
  ['<?', '?>', 'nothing'],
] as const;
const beginningLengthMax = '<![CDATA['.length;

const lessThan = 0x3c;
/** The fast path: nearly every tag of a statement has no attributes. */
const plainTag = /<(\/?)([A-Za-z_][\w.:-]*)>/y;
const tag = /<(\/?)([A-Za-z_][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/y;
const unfinishedTag = /<\/?(?:[A-Za-z_][\w.:-]*(?:"[^"]*"|'[^']*'|[^<>"'])*(?:"[^"]*|'[^']*)?)?$/y;
const tagBeginning = /[A-Za-z_/!?]/;

function readSection(
  source: string,
  section: { position: number; beginning: string; ending: string; kind: 'nothing' | 'text'; isEnd: boolean },
): RawToken | undefined {
  const start = section.position + section.beginning.length;
  const stop = source.indexOf(section.ending, start);
  if (stop === -1 && !section.isEnd) return undefined;
  const end = stop === -1 ? source.length : stop + section.ending.length;
  if (section.kind === 'nothing') return { kind: 'nothing', end };
  return { kind: 'text', text: source.slice(start, stop === -1 ? end : stop), isLiteral: true, end };
}

/** Reads the text up to the next possible tag. The first character belongs to the text, even if it is `<`. */
function readText(source: string, position: number, isEnd: boolean): RawToken | undefined {
  let next = source.indexOf('<', position + 1);
  while (next !== -1 && !tagBeginning.test(source.charAt(next + 1))) next = source.indexOf('<', next + 1);
  if (next === -1 && !isEnd) return undefined;
  const end = next === -1 ? source.length : next;
  return { kind: 'text', text: source.slice(position, end), isLiteral: false, end };
}

/**
 * Replaces the entities of XML and OFX once: `&amp;lt;` becomes the text `&lt;`. An unknown entity is not replaced. A
 * file cannot define further entities, because a document type declaration is refused.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (whole, hexadecimal, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
