import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeStatement } from '../../test-support/statement-files.js';
import { fileSource } from '../source.js';
import { readToken } from './tokens.js';
import { readXml, textAt, textOf } from './xml.js';

async function readAll(content: string, elementNames: readonly string[] = ['Row']) {
  const path = await writeStatement(content);
  const events: string[] = [];
  for await (const event of readXml(fileSource(path), { encoding: 'utf-8', elementNames: new Set(elementNames) })) {
    events.push(
      event.kind === 'element'
        ? `${event.line}: ${event.name} ${textAt(event.element, 'Id') ?? textOf(event.element)}`
        : `${event.kind} ${event.name}`,
    );
  }
  return events;
}

describe('an XML file', () => {
  it('is read element by element even if it has namespaces, comments, CDATA, or an attribute that contains >', async () => {
    const content =
      '<?xml version="1.0"?>\n<!-- <Row> -->\n<n:File xmlns:n="urn:x" note="a > b">\n<n:Row><n:Id>0001</n:Id></n:Row><n:Row/>\n<n:Row><![CDATA[<Row>]]></n:Row></n:File>';
    expect(await readAll(content)).toEqual([
      'enter File',
      '4: Row 0001',
      '4: Row undefined',
      '5: Row <Row>',
      'leave File',
    ]);
  });

  it.each([
    ['<File><Row></File>', 'closes File, but Row is open'],
    ['<File><Row><Id>1</Id></Row>', 'ends in the middle of File'],
    ['<File></File></File>', 'closes File, but nothing is open'],
    ['<File></File> and more', 'line 1 has text outside the root element'],
  ])('is refused if it is not well-formed: %s', async (content, message) => {
    await expect(readAll(content)).rejects.toThrow(message);
  });

  it.each([
    ['<!DOCTYPE File SYSTEM "file:///etc/passwd"><File/>'],
    [
      '<?xml version="1.0"?><!DOCTYPE f [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><File><Row><Id>&b;</Id></Row></File>',
    ],
    ['<File><!ENTITY a "x"></File>'],
  ])('is refused if it declares a document type or an entity: %s', async (content) => {
    await expect(readAll(content)).rejects.toThrow('a document type');
  });

  it('is read without expanding unknown entities', async () => {
    expect(await readAll('<File><Row><Id>&boom; &#65; &amp;amp;</Id></Row></File>')).toContain('1: Row &boom; A &amp;');
  });

  it('is read as the same tokens, no matter where it is split into three chunks', () => {
    const source = '<A x="1>2">te < xt &amp;<!-- <B> --><C/><![CDATA[<D>]]></A>\n<?pi <E> ?>end';
    const tokensOf = (chunks: readonly string[]) => {
      const tokens: unknown[] = [];
      let rest = '';
      for (const [index, chunk] of chunks.entries()) {
        rest += chunk;
        for (;;) {
          const cut = readToken(rest, 0, index === chunks.length - 1);
          if (cut === undefined) break;
          const { end, ...token } = cut;
          // A text may come in several tokens. Only the joined text is guaranteed.
          const last = tokens.at(-1) as { kind?: string; text?: string } | undefined;
          if (token.kind === 'text' && last?.kind === 'text') last.text += token.text;
          else tokens.push({ ...token });
          rest = rest.slice(end);
        }
      }
      return tokens;
    };
    const whole = tokensOf([source]);
    fc.assert(
      fc.property(fc.nat({ max: source.length }), fc.nat({ max: source.length }), (one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const chunks = [source.slice(0, first), source.slice(first, second), source.slice(second)];
        expect(tokensOf(chunks)).toEqual(whole);
      }),
    );
  });
});
