import { UsageError } from '../../errors.js';
import { decodeEntities } from './decode-entities.js';
import { type MarkupToken, readMarkup } from './read-markup.js';
import type { XmlElement } from './xml-element.js';

/** What happens in an XML file: an element begins or ends, or one of those wanted whole is there. */
export type XmlEvent =
  | { readonly kind: 'enter' | 'leave'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly line: number; readonly element: XmlElement };

/** An entry with thousands of payments is one element; a file that never closes one must not fill the memory. */
const elementCharactersMax = 50_000_000;

/**
 * Reads an XML file in constant memory: the elements named in `wholes` come one by one with all that is in them, all
 * others are only entered and left. Names come without their namespace's prefix. Every value is text: `0001` stays
 * `0001`, and no entity is expanded beyond those of XML itself.
 *
 * A library that parses each element would read everything twice, because only the tokens tell where an element ends.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, is not well-formed, ends too early or has a document type
 */
export async function* readXml(
  path: string,
  { encoding, wholes }: { encoding: string; wholes: ReadonlySet<string> },
): AsyncGenerator<XmlEvent> {
  const open: string[] = [];
  let whole: OpenElement | undefined;
  let begun = { line: 0, depth: 0, characters: 0 };
  for await (const batch of readMarkup(path, encoding)) {
    for (const token of batch) {
      if (whole !== undefined) {
        begun.characters += token.raw.length;
        if (begun.characters > elementCharactersMax) throw malformed(path, `line ${begun.line} begins a huge element`);
      }
      if (token.kind === 'text') {
        if (whole !== undefined) whole.text += token.isLiteral ? token.text : decodeEntities(token.text);
        else if (open.length === 0 && token.text.trim() !== '')
          throw malformed(path, `line ${token.line} is outside it`);
        continue;
      }
      const name = localName(token.name);
      if (token.kind === 'open') {
        open.push(token.name);
        if (whole !== undefined) whole = openElement(name, { token, parent: whole });
        else if (wholes.has(name)) {
          whole = openElement(name, { token, parent: undefined });
          begun = { line: token.line, depth: open.length, characters: 0 };
        } else yield { kind: 'enter', name };
        if (!token.isEmpty) continue;
      }
      const depth = open.length;
      closeElement(open, { token, path });
      if (whole === undefined) yield { kind: 'leave', name };
      else if (begun.depth < depth) whole = whole.parent;
      else {
        yield { kind: 'element', name: whole.name, line: begun.line, element: whole };
        whole = undefined;
      }
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw malformed(path, `it ends in the middle of ${unclosed}`);
}

/** An element whose end has not been seen. */
interface OpenElement extends XmlElement {
  text: string;
  readonly children: OpenElement[];
  readonly parent: OpenElement | undefined;
}

function openElement(
  name: string,
  { token, parent }: { token: Extract<MarkupToken, { kind: 'open' }>; parent: OpenElement | undefined },
): OpenElement {
  const element: OpenElement = { name, attributes: token.attributes, text: '', children: [], parent };
  parent?.children.push(element);
  return element;
}

function closeElement(
  open: string[],
  { token, path }: { token: Exclude<MarkupToken, { kind: 'text' }>; path: string },
): void {
  const expected = open.pop();
  if (expected === token.name) return;
  throw malformed(path, `line ${token.line} closes ${token.name} where ${expected ?? 'nothing'} is open`);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(path: string, what: string): UsageError {
  return new UsageError(`${path} is not well-formed XML: ${what}.`, 'Export the statement again.');
}
