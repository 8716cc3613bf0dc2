import { UsageError } from '../../errors.js';
import { decodeEntities } from '../markup/decode-entities.js';
import { type MarkupToken, readMarkup } from '../markup/read-markup.js';
import { type OfxEvent, recordNames } from './ofx-event.js';

/**
 * Reads OFX 1, which is SGML: a value stands behind its tag and ends with the next tag, closed (`<NAME>Shop</NAME>`) or
 * not (`<NAME>Shop`). Nothing in the text says whether a tag without a value is an empty value or the beginning of a
 * group, so the groups inside a record are known by name. It reads XML as well, but does not insist that it is whole.
 *
 * @throws UsageError (exit 2) for a file that cannot be read, or ends before its `</OFX>`
 */
export async function* readOfxSgml(path: string, encoding: string): AsyncGenerator<OfxEvent> {
  let record: OpenRecord | undefined;
  let isWhole = false;
  for await (const batch of readMarkup(path, encoding)) {
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
      // A record also ends where the next one begins, and with whatever it stands in.
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
  throw new UsageError(`${path} has no end (</OFX>), so rows may be missing.`, 'Export the statement again.');
}

/** Tags that cannot stand inside a record: other records, and what records stand in. */
function isBoundary(record: string, name: string): boolean {
  // A currency is one value, and the tag behind it is the next thing.
  return record === 'CURDEF' || recordNames.has(name) || containers.has(name);
}

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
  'LEDGERBAL',
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

/** A record whose end has not been seen. Of a value that is there twice the first counts. */
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
