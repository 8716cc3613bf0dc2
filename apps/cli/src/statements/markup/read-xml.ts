import { XMLParser } from 'fast-xml-parser';
import { UsageError } from '../../cli-error.js';
import { type MarkupToken, readMarkup } from './read-markup.js';
import type { XmlElement } from './xml-element.js';

/** What happens in an XML file: an element begins or ends, or one of those wanted whole is there. */
export type XmlEvent =
  | { readonly kind: 'enter' | 'leave'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly line: number; readonly element: XmlElement };

/** An entry with thousands of payments is one element; a file that never closes one must not fill the memory. */
const elementCharactersMax = 50_000_000;

/**
 * Reads an XML file in constant memory: the elements named in `wholes` are parsed one by one, all others are only
 * entered and left. Names come without their namespace's prefix. Every value is text: `0001` stays `0001`, and no
 * entity is expanded beyond those of XML itself.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, is not well-formed, ends too early or has a document type
 */
export async function* readXml(
  path: string,
  { encoding, wholes }: { encoding: string; wholes: ReadonlySet<string> },
): AsyncGenerator<XmlEvent> {
  const open: string[] = [];
  let whole: { name: string; line: number; depth: number; raw: string[]; characters: number } | undefined;
  for await (const batch of readMarkup(path, encoding)) {
    for (const token of batch) {
      if (whole !== undefined) {
        whole.raw.push(token.raw);
        whole.characters += token.raw.length;
        if (whole.characters > elementCharactersMax) throw malformed(path, `line ${whole.line} begins a huge element`);
      }
      if (token.kind === 'text') {
        if (open.length === 0 && token.text.trim() !== '') throw malformed(path, `line ${token.line} is outside it`);
        continue;
      }
      const name = localName(token.name);
      if (token.kind === 'open') {
        open.push(token.name);
        if (whole === undefined && wholes.has(name)) {
          whole = { name, line: token.line, depth: open.length, raw: [token.raw], characters: 0 };
        } else if (whole === undefined) yield { kind: 'enter', name };
      }
      if (token.kind === 'open' && !token.isEmpty) continue;
      const depth = open.length;
      closeElement(open, { token, path });
      if (whole === undefined) yield { kind: 'leave', name };
      else if (whole.depth === depth) {
        yield { kind: 'element', name: whole.name, line: whole.line, element: parseElement(whole, path) };
        whole = undefined;
      }
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw malformed(path, `it ends in the middle of ${unclosed}`);
}

function closeElement(
  open: string[],
  { token, path }: { token: Exclude<MarkupToken, { kind: 'text' }>; path: string },
): void {
  const expected = open.pop();
  if (expected === token.name) return;
  throw malformed(path, `line ${token.line} closes ${token.name} where ${expected ?? 'nothing'} is open`);
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

function parseElement(whole: { name: string; line: number; raw: readonly string[] }, path: string): XmlElement {
  try {
    const document = parser.parse(whole.raw.join('')) as Readonly<Record<string, readonly XmlElement[]>>;
    return document[whole.name]?.[0] ?? {};
  } catch (error) {
    throw malformed(path, `the element of line ${whole.line} cannot be parsed (${(error as Error).message})`);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(path: string, what: string): UsageError {
  return new UsageError(`${path} is not well-formed XML: ${what}.`, 'Export the statement again.');
}
