import { decodeEntities, type MarkupToken, readMarkup } from '../markup/tokens.js';
import { readXml, textOf, type XmlElement } from '../markup/xml.js';
import type { StatementSource } from '../source.js';
import { StatementError } from '../statement-error.js';

/** An event that `readOfxSgml` or `readOfxXml` yields. */
export type OfxEvent =
  | { readonly kind: 'enter' | 'leave'; readonly name: string }
  | { readonly kind: 'record'; readonly name: string; readonly line: number; readonly fields: OfxFields };

/** The values of a record by their path: `TRNAMT`, `PAYEE.NAME`. For a record that is only a value, such as CURDEF, the path is `""`. */
export type OfxFields = ReadonlyMap<string, string>;

/**
 * The elements that are read as a whole. Each of them yields one `record` event, which contains the values of the elements inside it.
 * An element outside a record yields only an `enter` event, and a `leave` event if it has an end tag.
 */
export const recordNames: ReadonlySet<string> = new Set([
  'CURDEF',
  'DTSTART',
  'DTEND',
  'LEDGERBAL',
  'BANKACCTFROM',
  'CCACCTFROM',
  'STMTTRN',
  // A pending transaction, in the newest versions of OFX.
  'STMTTRNP',
]);

/**
 * Reads OFX 1, which is SGML. A value follows its tag and ends at the next tag. The end tag is optional: `<NAME>Shop</NAME>` or
 * `<NAME>Shop`. If no text follows a tag, the tag either has an empty value or begins a group of tags. The syntax does not show which,
 * so `groups` lists the tags that begin a group inside a record. The function also reads XML, but does not check that the XML is
 * well-formed.
 * @throws StatementError if `readMarkup` throws one, or the file has no `</OFX>`
 */
export async function* readOfxSgml(source: StatementSource, encoding: string): AsyncGenerator<OfxEvent> {
  let record: OpenRecord | undefined;
  let isWhole = false;
  for await (const batch of readMarkup(source, encoding)) {
    for (const token of batch) {
      if (token.kind === 'text') {
        record?.addText(token);
        continue;
      }
      const name = token.name.toUpperCase();
      if (token.kind === 'close' && name === 'OFX') isWhole = true;
      const isInside = record !== undefined && !isBoundary(record.name, name);
      if (isInside && record !== undefined && !(token.kind === 'close' && name === record.name)) {
        if (token.kind === 'open') record.open(name);
        else record.close(name);
        continue;
      }
      // A record without an end tag ends at the tag of the next record or container.
      if (record !== undefined) yield record.finish();
      const isEnd = record !== undefined && token.kind === 'close' && name === record.name;
      record = undefined;
      if (isEnd) continue;
      if (token.kind === 'open' && recordNames.has(name)) record = new OpenRecord(name, token.line);
      else if (token.kind === 'open') yield { kind: 'enter', name };
      else yield { kind: 'leave', name };
    }
  }
  if (isWhole) return;
  throw new StatementError(
    `${source.name} has no end (</OFX>), so rows may be missing.`,
    'Export the statement again.',
  );
}

/** Returns whether a tag ends the open record. */
function isBoundary(record: string, name: string): boolean {
  // A record that is only a value has no tags inside, so the next tag ends it.
  return singleValues.has(record) || recordNames.has(name) || containers.has(name);
}

const singleValues: ReadonlySet<string> = new Set(['CURDEF', 'DTSTART', 'DTEND']);

const containers: ReadonlySet<string> = new Set([
  'OFX',
  'BANKMSGSRSV1',
  'CREDITCARDMSGSRSV1',
  'STMTTRNRS',
  'CCSTMTTRNRS',
  'STMTRS',
  'CCSTMTRS',
  'BANKTRANLIST',
  'BANKTRANLISTP',
  'AVAILBAL',
]);

const groups: ReadonlySet<string> = new Set([
  'PAYEE',
  'EXTDPAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
  'IMAGEDATA',
]);

/** A record whose end has not been read yet. If several values have the same path, the first that is not empty is used. */
class OpenRecord {
  readonly name: string;
  readonly #line: number;
  readonly #fields = new Map<string, string>();
  readonly #group: string[] = [];
  #field: string | undefined;
  #text = '';

  constructor(name: string, line: number) {
    this.name = name;
    this.#line = line;
    this.#field = '';
  }

  addText(token: Extract<MarkupToken, { kind: 'text' }>): void {
    this.#text += token.isLiteral ? token.text : decodeEntities(token.text);
  }

  open(name: string): void {
    this.#endField();
    if (groups.has(name)) this.#group.push(name);
    else this.#field = [...this.#group, name].join('.');
  }

  close(name: string): void {
    this.#endField();
    const level = this.#group.lastIndexOf(name);
    if (level !== -1) this.#group.length = level;
  }

  finish(): OfxEvent {
    this.#endField();
    return { kind: 'record', name: this.name, line: this.#line, fields: this.#fields };
  }

  #endField(): void {
    const text = this.#text.trim();
    if (this.#field !== undefined && text !== '' && !this.#fields.has(this.#field)) this.#fields.set(this.#field, text);
    this.#field = undefined;
    this.#text = '';
  }
}

/**
 * Reads OFX 2, which is XML.
 * @throws StatementError if `readXml` throws one, for example because the file is not well-formed
 */
export async function* readOfxXml(source: StatementSource, encoding: string): AsyncGenerator<OfxEvent> {
  for await (const event of readXml(source, { encoding, elementNames: recordNames })) {
    if (event.kind !== 'element') yield event;
    else yield { kind: 'record', name: event.name, line: event.line, fields: flatten(event.element) };
  }
}

function flatten(element: XmlElement): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (at: XmlElement, path: string) => {
    const text = textOf(at);
    if (text !== undefined && !fields.has(path)) fields.set(path, text);
    for (const child of at.children) visit(child, path === '' ? child.name : `${path}.${child.name}`);
  };
  visit(element, '');
  return fields;
}
