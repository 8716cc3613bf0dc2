/** What stands at one position of marked-up text, and where it ends. */
export type Cut = { readonly end: number } & (
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly isLiteral: boolean }
  /** `<!DOCTYPE`, `<!ENTITY` and what else begins with an exclamation mark. */
  | { readonly kind: 'declaration' }
  /** A comment or a processing instruction. */
  | { readonly kind: 'nothing' }
);

/**
 * Cuts the next token off.
 * @param isEnd whether nothing follows `source`; before that, what may go on there is waited for
 * @returns undefined when there is no whole token
 */
export function cutToken(source: string, position: number, isEnd: boolean): Cut | undefined {
  if (position >= source.length) return undefined;
  if (source.charCodeAt(position) !== lessThan) return cutText(source, position, isEnd);
  plainTag.lastIndex = position;
  const plain = plainTag.exec(source);
  if (plain !== null) {
    const [, slash, name = ''] = plain;
    if (slash === '/') return { kind: 'close', name, end: plainTag.lastIndex };
    return { kind: 'open', name, attributes: '', isEmpty: false, end: plainTag.lastIndex };
  }
  if (!isEnd && source.length - position < longestBeginning) return undefined;
  for (const [beginning, ending, kind] of sections) {
    if (source.startsWith(beginning, position)) return cutSection(source, { position, beginning, ending, kind, isEnd });
  }
  if (source[position + 1] === '!') return { kind: 'declaration', end: Math.min(position + 40, source.length) };
  tag.lastIndex = position;
  const found = tag.exec(source);
  if (found === null) {
    unfinishedTag.lastIndex = position;
    return !isEnd && unfinishedTag.test(source) ? undefined : cutText(source, position, isEnd);
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
const longestBeginning = '<![CDATA['.length;

const lessThan = 0x3c;
/** Nearly every tag of a statement has no attributes. */
const plainTag = /<(\/?)([A-Za-z_][\w.:-]*)>/y;
const tag = /<(\/?)([A-Za-z_][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/y;
const unfinishedTag = /<\/?(?:[A-Za-z_][\w.:-]*(?:"[^"]*"|'[^']*'|[^<>"'])*(?:"[^"]*|'[^']*)?)?$/y;
const tagBeginning = /[A-Za-z_/!?]/;

function cutSection(
  source: string,
  section: { position: number; beginning: string; ending: string; kind: 'nothing' | 'text'; isEnd: boolean },
): Cut | undefined {
  const start = section.position + section.beginning.length;
  const stop = source.indexOf(section.ending, start);
  if (stop === -1 && !section.isEnd) return undefined;
  const end = stop === -1 ? source.length : stop + section.ending.length;
  if (section.kind === 'nothing') return { kind: 'nothing', end };
  return { kind: 'text', text: source.slice(start, stop === -1 ? end : stop), isLiteral: true, end };
}

/** Text up to what may be the next tag; its own first character is text whatever it is. */
function cutText(source: string, position: number, isEnd: boolean): Cut | undefined {
  let next = source.indexOf('<', position + 1);
  while (next !== -1 && !tagBeginning.test(source.charAt(next + 1))) next = source.indexOf('<', next + 1);
  if (next === -1 && !isEnd) return undefined;
  const end = next === -1 ? source.length : next;
  return { kind: 'text', text: source.slice(position, end), isLiteral: false, end };
}
