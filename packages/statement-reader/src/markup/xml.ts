import type { StatementSource } from '../source.js';
import { StatementError } from '../statement-error.js';
import { decodeEntities, type MarkupToken, readMarkup } from './tokens.js';

/** An event that {@link readXml} yields: an element begins or ends, or an element that the caller requested by name is complete. */
export type XmlEvent =
  | { readonly kind: 'enter' | 'leave'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly line: number; readonly element: XmlElement };

/**
 * The maximum size of a requested element in characters, to limit the memory. The limit is high, because one entry of a bank statement is
 * one element and can contain thousands of payments.
 */
const elementCharactersMax = 50_000_000;

/**
 * Reads an XML file in constant memory. Yields each element whose name is in `elementNames` as one event, with its content. Yields an
 * `enter` and a `leave` event for each other element, except for elements inside a yielded element. Names have no namespace prefix.
 * Values are strings: `0001` stays `0001`.
 *
 * No XML library is used, because strict parsers refuse files that some banks write. A separate tokenizer is necessary anyway for OFX 1,
 * which omits end tags (decision 0019).
 * @throws StatementError if the file cannot be read, has unmatched tags or text outside the root element, ends too early, has a document
 *   type declaration (DOCTYPE), or has a tag, a text or an element of `elementNames` that is too large
 */
export async function* readXml(
  source: StatementSource,
  { encoding, elementNames }: { encoding: string; elementNames: ReadonlySet<string> },
): AsyncGenerator<XmlEvent> {
  const open: string[] = [];
  let current: OpenElement | undefined;
  let start = { line: 0, depth: 0, characters: 0 };
  for await (const batch of readMarkup(source, encoding)) {
    for (const token of batch) {
      if (current !== undefined) {
        start.characters += token.raw.length;
        if (start.characters > elementCharactersMax)
          throw malformed(source, `the element that begins in line ${start.line} is too large`);
      }
      if (token.kind === 'text') {
        if (current !== undefined) current.text += token.isLiteral ? token.text : decodeEntities(token.text);
        else if (open.length === 0 && token.text.trim() !== '')
          throw malformed(source, `line ${token.line} has text outside the root element`);
        continue;
      }
      const name = localName(token.name);
      if (token.kind === 'open') {
        open.push(token.name);
        if (current !== undefined) current = openElement(name, { token, parent: current });
        else if (elementNames.has(name)) {
          current = openElement(name, { token, parent: undefined });
          start = { line: token.line, depth: open.length, characters: 0 };
        } else yield { kind: 'enter', name };
        if (!token.isEmpty) continue;
      }
      const depth = open.length;
      closeElement(open, { token, source });
      if (current === undefined) yield { kind: 'leave', name };
      else if (start.depth < depth) current = current.parent;
      else {
        yield { kind: 'element', name: current.name, line: start.line, element: current };
        current = undefined;
      }
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw malformed(source, `it ends in the middle of ${unclosed}`);
}

/** An element whose end has not been read yet. */
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
  { token, source }: { token: Exclude<MarkupToken, { kind: 'text' }>; source: StatementSource },
): void {
  const expected = open.pop();
  if (expected === token.name) return;
  throw malformed(source, `line ${token.line} closes ${token.name}, but ${expected ?? 'nothing'} is open`);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(source: StatementSource, what: string): StatementError {
  return new StatementError(`${source.name} is not well-formed XML: ${what}.`, 'Export the statement again.');
}

/** An element; names have no namespace prefix. */
export interface XmlElement {
  readonly name: string;
  /** The text of all attributes, as in the file. {@link attributeOf} returns a single value from it. */
  readonly attributes: string;
  /** The joined texts of the element, without the texts of its children; entities are decoded. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** An empty element, used in place of an absent element. */
export const noElement: XmlElement = { name: '', attributes: '', text: '', children: [] };

/** Returns the descendants at a path of names: `NtryDtls/TxDtls` returns each `TxDtls` of every `NtryDtls`. */
export function childrenAt(element: XmlElement, path: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  visitAt(element, path, (child) => {
    found.push(child);
    return false;
  });
  return found;
}

/** Returns the text at the first path that has a text; undefined if no path has a text. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string | undefined {
  let text: string | undefined;
  for (const path of paths) {
    const isFound = visitAt(element, path, (child) => {
      text = textOf(child);
      return text !== undefined;
    });
    if (isFound) return text;
  }
  return undefined;
}

/** Returns the text of an element; undefined if it is blank. */
export function textOf(element: XmlElement): string | undefined {
  const text = element.text.trim();
  return text === '' ? undefined : text;
}

/** Returns the value of an attribute. A namespace prefix of the attribute is ignored. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const [, found, double, single] of element.attributes.matchAll(attribute)) {
    if (found === name) return decodeEntities(double ?? single ?? '').trim();
  }
  return undefined;
}

const attribute = /(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Visits the descendants at a path, in order, until `visit` returns true. Returns whether `visit` returned true. The split
 * path is cached.
 */
function visitAt(element: XmlElement, path: string, visit: (child: XmlElement) => boolean): boolean {
  const names = namesOf.get(path) ?? path.split('/');
  namesOf.set(path, names);
  return visitLevel(element, { names, level: 0, visit });
}

const namesOf = new Map<string, readonly string[]>();

function visitLevel(
  element: XmlElement,
  search: { names: readonly string[]; level: number; visit: (child: XmlElement) => boolean },
): boolean {
  const { names, level, visit } = search;
  const isLast = level === names.length - 1;
  for (const child of element.children) {
    if (child.name !== names[level]) continue;
    if (isLast ? visit(child) : visitLevel(child, { names, level: level + 1, visit })) return true;
  }
  return false;
}
